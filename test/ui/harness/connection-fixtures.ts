import { eventually } from '../../harness/eventually';
import type { UiContext } from './ui-context';

type Body = Record<string, unknown>;

const SANDBOX_LOGIN = { user: 'u', password: 'p' };

/** Connections that a test needs before it opens the page. */
export interface ConnectionFixtures {
  /** Creates a connection to the sandbox with completed setup. */
  connection(identity: string, fields?: Body, name?: string): Promise<string>;
  /** Creates a connection, to the sandbox by default, and waits for its first fetch. `step2` is the input of the second step. */
  fetchedConnection(
    identity: string,
    setup: { readonly integration?: string; readonly name?: string; readonly fields?: Body; readonly step2?: Body },
  ): Promise<string>;
  /** Starts a fetch and waits for its end. */
  fetchNow(uuid: string): Promise<void>;
}

/** `context` is filled before the first test. */
export function connectionFixtures(context: Pick<UiContext, 'client' | 'clientSite' | 'query'>): ConnectionFixtures {
  const connect = async (identity: string, integration: string, name: string, fields: Body, step2: Body) => {
    const { body } = await context.client
      .request('post', '/v1/connections')
      .send({ integration_id: integration, name, identity_uuid: identity, fields })
      .expect(201);
    const { uuid } = (body as { data: { uuid: string } }).data;
    const token = await context.client.createToken(identity, { return_url: context.clientSite.returnUrl });
    await context.client
      .requestWithToken(token, 'put', `/v1/connections/${uuid}/step2`)
      .send({ fields: step2 })
      .expect(204);
    return uuid;
  };
  const countFetches = async (uuid: string) => {
    const [row] = await context.query<{ total: number; ended: number }>(
      `select count(*)::int as total, count(finished_at)::int as ended from "fetch" where connection_uuid = $1`,
      [uuid],
    );
    return row!;
  };
  /** The first fetch is recorded when a worker starts it. */
  const waitForFetches = (uuid: string, count: number) =>
    eventually(async () => (await countFetches(uuid)).ended >= count, `${count} fetches end`);

  return {
    connection: (identity, fields = {}, name = 'Portal') =>
      connect(identity, 'sandbox', name, { ...SANDBOX_LOGIN, ...fields }, {}),
    fetchedConnection: async (identity, { integration, name = 'Portal', fields = {}, step2 = {} }) => {
      const login = integration === undefined ? SANDBOX_LOGIN : {};
      const uuid = await connect(identity, integration ?? 'sandbox', name, { ...login, ...fields }, step2);
      await waitForFetches(uuid, 1);
      return uuid;
    },
    fetchNow: async (uuid) => {
      const { total } = await countFetches(uuid);
      await context.client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
      await waitForFetches(uuid, total + 1);
    },
  };
}
