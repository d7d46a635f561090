import { Client } from 'pg';
import { createTestClient, type TestClient } from './test-client';
import { startApp, type TestApp, type TestAppOptions } from './start-app';

type Body = Record<string, unknown>;

/** What the tests of nearly every endpoint need: a client with two identities, and a client of another environment. */
export interface TestContext {
  readonly app: TestApp;
  readonly client: TestClient;
  readonly otherClient: TestClient;
  readonly identity: string;
  /** Another identity of the same environment. */
  readonly otherIdentity: string;
  readonly token: string;
  readonly otherIdentityToken: string;
  /** A connection with the sandbox whose second step is still to come; of `identity` unless said otherwise. */
  createConnection(more?: { by?: TestClient; identity?: string; fields?: Body; name?: string }): Promise<string>;
  /** One whose setup is complete. */
  createActiveConnection(fields?: Body): Promise<string>;
  /** Looks into the database. */
  query<Row extends object = Body>(text: string, parameters?: unknown[]): Promise<Row[]>;
}

/** Sets the context once for the test file, and clears it afterwards. Its members exist from `beforeAll` on. */
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
