import { randomBytes } from 'node:crypto';
import {
  createConnection,
  createIdentity,
  createToken,
  type Docfetch,
  getEnvironment,
  listIdentityConnections,
  saveStep2,
  createDocfetch,
} from '../../../typescript/dist/index.js';
import { CommandError } from '../failure';
import type { Messages } from '../messages/en';

const CLIENT_IDENTIFIER = 'docfetch-client';

/** A connection with the sandbox; `complete` finishes the setup of a new one, which starts its first fetch. */
export interface SandboxConnection {
  readonly uuid: string;
  readonly complete: (() => Promise<void>) | null;
}

/** The sandbox connection of this program in the environment of the key, which it creates when there is none. */
export async function sandboxConnection(
  client: Docfetch,
  url: string,
  messages: Messages,
  signal: AbortSignal,
): Promise<SandboxConnection> {
  const { data: environment } = await getEnvironment({ client, signal });
  if (environment.kind !== 'TEST') throw new CommandError(messages.testEnvironmentOnly, 'TEST_ENVIRONMENT_ONLY', 1);
  const { data: identity } = await createIdentity({ client, body: { client_identifier: CLIENT_IDENTIFIER }, signal });
  const { identity_uuid } = identity;
  const found = await listIdentityConnections({
    client,
    signal,
    path: { identity_uuid },
    query: { integration: 'sandbox', status: 'ACTIVE', limit: 1 },
  });
  const [existing] = found.data;
  if (existing) return { uuid: existing.uuid, complete: null };
  const origin = environment.return_origins[0];
  if (!origin) throw new CommandError(messages.connectionRequired, 'CONNECTION_REQUIRED');
  const { data: created } = await createConnection({
    client,
    signal,
    body: {
      integration_id: 'sandbox',
      name: CLIENT_IDENTIFIER,
      identity_uuid,
      // The portal has no documents of its own; another user would have the same as an earlier connection.
      fields: { user: randomBytes(8).toString('hex'), password: 'sandbox', documents: 0, new_per_fetch: 0 },
    },
  });
  const complete = async () => {
    // The second step belongs to the end user, so it requires a UI token.
    const { data } = await createToken({ client, signal, body: { identity_uuid, return_url: `${origin}/` } });
    const endUser = createDocfetch({ baseUrl: url, token: data.token });
    await saveStep2({ client: endUser, signal, path: { uuid: created.uuid }, body: { fields: {} } });
  };
  return { uuid: created.uuid, complete };
}
