import { INTEGRATIONS } from '../../../src/integrations/integration-registry';
import { describeConnector } from '../../contract/connector-contract';

/** A connector of each kind: in code, to a mailbox and to files; with OAuth; and a provider's file. */
const OF_EACH_KIND = ['sandbox', 'imap', 'webdav', 'google_drive', 'stripe'];

// All connectors have it in `npm run test:connectors`.
describe.each(OF_EACH_KIND)('The contract, with a connector of each kind', (id) => {
  describeConnector(INTEGRATIONS.find((integration) => integration.id === id)!);
});
