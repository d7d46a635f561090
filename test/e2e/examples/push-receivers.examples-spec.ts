import { itPrintsEvents } from './event-tests';
import { describeReceiver } from './receiver-tests';
import { describeReceiversWithService } from './receivers-with-service';

const SCRIPTS = ['push-receiver.py', 'push-receiver.php'];
for (const script of SCRIPTS) describeReceiver(script);
describeReceiversWithService(SCRIPTS.map((script) => [script, '/'] as const));

describe('The receivers of docs/examples with events', () => {
  for (const script of SCRIPTS) itPrintsEvents(script);
});
