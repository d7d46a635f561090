import { describeReceiver } from './receiver-tests';

for (const script of ['push-receiver.mjs', 'push-receiver-express.mjs']) describeReceiver(script);
