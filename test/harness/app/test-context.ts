import { Client } from 'pg';
import { aClient, type TestClient } from './test-client';
import { startApp, type TestApp, type TestAppOptions } from './start-app';

type Body = Record<string, unknown>;

/** What the tests of nearly every endpoint need: a client with two identities, and a client of another environment. */
export interface Stage {
  readonly app: TestApp;
  readonly client: TestClient;
  readonly stranger: TestClient;
  readonly identity: string;
  /** Another identity of the same environment. */
  readonly sibling: string;
  readonly token: string;
  readonly siblingToken: string;
  /** A connection with the sandbox whose second step is still to come; of `identity` unless said otherwise. */
  connection(more?: { by?: TestClient; identity?: string; fields?: Body; name?: string }): Promise<string>;
  /** One whose setup is complete. */
  activeConnection(fields?: Body): Promise<string>;
  /** Looks into the database. */
  query<Row extends object = Body>(text: string, parameters?: unknown[]): Promise<Row[]>;
}

/** Sets the stage once for the test file, and clears it afterwards. Its members exist from `beforeAll` on. */
export function useStage(options: TestAppOptions = {}): Stage {
  const stage = {} as { -readonly [Member in keyof Stage]: Stage[Member] };
  let database: Client;

  beforeAll(async () => {
    stage.app = await startApp(options);
    database = new Client({ connectionString: stage.app.databaseUrl });
    await database.connect();
    stage.client = await aClient(stage.app);
    stage.stranger = await aClient(stage.app);
    stage.identity = await stage.client.identity('identity');
    stage.sibling = await stage.client.identity('sibling');
    stage.token = await stage.client.token(stage.identity);
    stage.siblingToken = await stage.client.token(stage.sibling);
  });

  afterAll(async () => {
    await database?.end();
    await stage.app?.stop();
  });

  stage.query = async <Row extends object>(text: string, parameters: unknown[] = []) =>
    (await database.query<Row>(text, parameters)).rows;

  stage.connection = async ({ by = stage.client, identity = stage.identity, fields = {}, name = 'Portal' } = {}) => {
    const { body } = await by
      .call('post', '/v1/connections')
      .send({
        integration_id: 'sandbox',
        name,
        identity_uuid: identity,
        fields: { user: 'u', password: 'p', ...fields },
      })
      .expect(201);
    return (body as { data: { uuid: string } }).data.uuid;
  };

  stage.activeConnection = async (fields) => {
    const uuid = await stage.connection({ fields });
    const path = `/v1/connections/${uuid}/step2`;
    await stage.client.callWithToken(stage.token, 'put', path).send({ fields: {} }).expect(204);
    return uuid;
  };

  return stage;
}
