import { PARAMS_PROVIDER_TOKEN, type Params, PinoLogger } from 'nestjs-pino';
import { Client } from 'pg';
import { createTestClient, type TestClient } from './test-client';
import { sharedApp } from './shared-app';
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

/**
 * Creates the fixture once per test file, with an application and a database of its own, and removes it afterwards. Its members
 * exist from `beforeAll` on.
 */
export function useTestContext(options: TestAppOptions = {}): TestContext {
  return useContext(
    () => startApp(options),
    (app) => app.stop(),
  );
}

/**
 * The same, with two new clients in an application and a database that spec files share, which is cheaper: for tests that neither
 * change nor read what belongs to others, and set the clock back.
 */
export function useSharedContext(): TestContext {
  return useContext(
    async () => {
      const app = await sharedApp(startApp);
      // A suite makes nestjs-pino forget the logger of earlier applications, which this one still needs; the next logger takes its place.
      new PinoLogger(app.app.get<Params>(PARAMS_PROVIDER_TOKEN, { strict: false }));
      return app;
    },
    () => Promise.resolve(),
  );
}

function useContext(start: () => Promise<TestApp>, stop: (app: TestApp) => Promise<void>): TestContext {
  const context = {} as { -readonly [Member in keyof TestContext]: TestContext[Member] };
  let database: Client;

  beforeAll(async () => {
    context.app = await start();
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
    if (context.app) await stop(context.app);
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
