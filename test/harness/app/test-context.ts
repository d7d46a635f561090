import { Client } from 'pg';
import { createTestClient, type TestClient } from './test-client';
import { startApp, type TestApp, type TestAppOptions } from './start-app';

type Body = Record<string, unknown>;

/** The fixture of most API tests: a client with two identities, and a client of another environment. */
export interface TestContext {
  readonly app: TestApp;
  readonly client: TestClient;
  readonly otherClient: TestClient;
  readonly identity: string;
  /** Another identity of the same environment. */
  readonly otherIdentity: string;
  readonly token: string;
  readonly otherIdentityToken: string;
  /** Creates a sandbox connection without step 2, of `identity` by default; returns its uuid. */
  createConnection(more?: { by?: TestClient; identity?: string; fields?: Body; name?: string }): Promise<string>;
  /** Creates a connection whose setup is complete; returns its uuid. */
  createActiveConnection(fields?: Body): Promise<string>;
  /** Queries the database. */
  query<Row extends object = Body>(text: string, parameters?: unknown[]): Promise<Row[]>;
}

/** Creates the fixture once per test file and removes it afterwards. Its members exist from `beforeAll` on. */
export function useTestContext(options: TestAppOptions = {}): TestContext {
  const context = {} as { -readonly [Member in keyof TestContext]: TestContext[Member] };
  let database: Client;

  beforeAll(async () => {
    context.app = await startApp(options);
    database = new Client({ connectionString: context.app.databaseUrl });
    await database.connect();
    context.client = await createTestClient(context.app);
    context.otherClient = await createTestClient(context.app);
    context.identity = await context.client.createIdentity('identity');
    context.otherIdentity = await context.client.createIdentity('otherIdentity');
    context.token = await context.client.createToken(context.identity);
    context.otherIdentityToken = await context.client.createToken(context.otherIdentity);
  });

  afterAll(async () => {
    await database?.end();
    await context.app?.stop();
  });

  context.query = async <Row extends object>(text: string, parameters: unknown[] = []) =>
    (await database.query<Row>(text, parameters)).rows;

  context.createConnection = async ({
    by = context.client,
    identity = context.identity,
    fields = {},
    name = 'Portal',
  } = {}) => {
    const { body } = await by
      .request('post', '/v1/connections')
      .send({
        integration_id: 'sandbox',
        name,
        identity_uuid: identity,
        fields: { user: 'u', password: 'p', ...fields },
      })
      .expect(201);
    return (body as { data: { uuid: string } }).data.uuid;
  };

  context.createActiveConnection = async (fields) => {
    const uuid = await context.createConnection({ fields });
    const path = `/v1/connections/${uuid}/step2`;
    await context.client.requestWithToken(context.token, 'put', path).send({ fields: {} }).expect(204);
    return uuid;
  };

  return context;
}
