import { FakeS3Server } from '../../fakes/s3/fake-s3-server';
import { aClient, type TestClient } from '../../harness/a-client';
import { expectError } from '../../harness/expect-error';
import { connect, connectionOf, Engine } from './engine';

const DENIED = { status: 403, body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>' };

describe('Setting up a storage', () => {
  let engine: Engine;
  let client: TestClient;
  let s3: FakeS3Server;

  beforeAll(async () => {
    s3 = await FakeS3Server.start();
    engine = await Engine.start();
    client = await aClient(engine.app);
  });
  afterEach(() => {
    s3.fault = () => undefined;
  });
  afterAll(async () => {
    await engine.stop();
    await s3.stop();
  });

  const create = async (integration: string, fields: Record<string, unknown>, lang = 'en') => {
    const connection = { integration_id: integration, name: 'Storage', identity_uuid: await client.identity(), fields };
    return client.call('post', '/v1/connections').set('Lang', lang).send(connection);
  };

  it('says of an S3 key that may not list the bucket that it lacks the right, and recovers once it has it', async () => {
    s3.put('a.pdf', '%PDF-1.7 a');
    s3.fault = () => DENIED;
    const refused = await create('s3', s3.fields, 'de');
    expectError(refused, 422, 'CREDENTIALS_REJECTED', { 'fields.secret_key': 'PERMISSION_MISSING' }, 'de');

    s3.fault = () => undefined;
    const uuid = await connect(client, 's3', s3.fields);
    await engine.fetched(uuid, 1);
    const fetchAgain = async (count: number) => {
      await client.call('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
      return engine.lastFetch(uuid, count);
    };
    s3.fault = () => DENIED;
    expect(await fetchAgain(2)).toMatchObject({ status: 'FAILED', error_code: 'SCOPE_MISSING' });
    const reason = { code: 'SCOPE_MISSING', action: 'UPDATE_CREDENTIALS' };
    expect(await connectionOf(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'ACTION_REQUIRED', reason });
    s3.fault = () => undefined;
    expect(await fetchAgain(3)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await connectionOf(client, uuid)).toMatchObject({ health: 'OK', reason: null });
  });
});
