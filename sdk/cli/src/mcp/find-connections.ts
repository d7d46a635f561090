import { listIdentities, listIdentityConnections } from '../../../typescript/dist/index.js';
import { connectionSummary } from './connection-summary';
import type { Source } from './source';

const MAX_CONNECTIONS = 100;

/** The connections of one identity. */
export async function findConnections({ client, signal }: Source, client_identifier: string): Promise<object> {
  const { data } = await listIdentities({ client, signal, query: { client_identifier } });
  const [identity] = data;
  if (!identity) return { found: false, explanation: 'There is no identity with this client_identifier.' };
  const { identity_uuid } = identity;
  const page = await listIdentityConnections({
    client,
    signal,
    path: { identity_uuid },
    query: { limit: MAX_CONNECTIONS },
  });
  return { found: true, identity_uuid, connections: page.data.map(connectionSummary), has_more: page.meta.has_more };
}
