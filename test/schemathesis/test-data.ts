import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '../demo/api';
import type { Service } from '../demo/service';

const FETCH_MS = 60_000;
const RETURN_ORIGIN = 'https://app.example.com';

export interface TestData {
  readonly apiKey: string;
  /** The values of the parameters `{identity_uuid}`, `{transaction_uuid}` and, of connections, `{uuid}`. */
  readonly identity: string;
  readonly transaction: string;
  readonly connection: string;
}

/** An environment with a sandbox portal whose documents have been fetched, so that requests find something. */
export async function createTestData(service: Service): Promise<TestData> {
  const environment = await service.command<{ environment_uuid: string; api_key: string }>([
    ...['environment', 'create', '--client', 'Schemathesis', '--name', 'Test', '--kind', 'test'],
    ...['--return-origin', RETURN_ORIGIN],
  ]);
  await service.command([
    ...['provisioning', 'set', '--environment', environment.environment_uuid, '--strategy', 'polling'],
  ]);
  const apiKey = environment.api_key;
  const api = new Api(service.base, { 'X-API-KEY': apiKey });
  const { identity_uuid: identity } = await api.call<{ identity_uuid: string }>('POST', '/v1/identities', 201, {
    client_identifier: 'schemathesis',
  });
  const { uuid: connection } = await api.call<{ uuid: string }>('POST', '/v1/connections', 201, {
    integration_id: 'sandbox',
    name: 'Portal',
    identity_uuid: identity,
    fields: { user: 'demo', password: 'secret', documents: 3, new_per_fetch: 0 },
  });
  const request = { identity_uuid: identity, return_url: `${RETURN_ORIGIN}/back` };
  const { token } = await api.call<{ token: string }>('POST', '/token', 201, request);
  const endUser = new Api(service.base, { 'X-TOKEN': token });
  await endUser.call('PUT', `/v1/connections/${connection}/step2`, 204, { fields: { folders: ['inbox'] } });
  return { apiKey, identity, connection, transaction: await firstTransaction(api) };
}

async function firstTransaction(api: Api): Promise<string> {
  for (const deadline = performance.now() + FETCH_MS; performance.now() < deadline; await pause(200)) {
    const [found] = await api.call<{ transaction_uuid: string }[]>('GET', '/v1/transactions', 200);
    if (found) return found.transaction_uuid;
  }
  throw new Error('The portal was not fetched.');
}

/** The configuration that makes requests use the data. Deletions get other ids, so that the data remains. */
export function configurationFor({ identity, transaction, connection }: TestData): string {
  return `
[[operations]]
include-path-regex = "^/v1/(identities|transactions)/"
exclude-method = "DELETE"
parameters = { "path.identity_uuid" = "${identity}", "path.transaction_uuid" = "${transaction}" }

[[operations]]
include-path-regex = "^/v1/connections/"
exclude-method = "DELETE"
parameters = { "path.uuid" = "${connection}" }
`;
}
