import { FakeS3Server } from '../../../fakes/s3/fake-s3-server';
import { FakeDavServer } from '../../../fakes/webdav/fake-dav-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { connect, getConnection, TestEngine } from '../../../harness/engine/test-engine';

const DENIED = { status: 403, body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>' };

describe('Setting up a storage', () => {
  let engine: TestEngine;
  let client: TestClient;
  let s3: FakeS3Server;
  let dav: FakeDavServer;

  beforeAll(async () => {
    [s3, dav] = await Promise.all([FakeS3Server.start(), FakeDavServer.start()]);
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  afterEach(() => {
    s3.fault = () => undefined;
    dav.fault = () => undefined;
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([s3.stop(), dav.stop()]);
  });

  const create = async (integration: string, fields: Record<string, unknown>, lang: 'de' | 'en') => {
    const connection = {
      integration_id: integration,
      name: 'Storage',
      identity_uuid: await client.createIdentity(),
      fields,
    };
    return client.request('post', '/v1/connections').set('Lang', lang).send(connection);
  };

  it('reports a missing S3 list permission, and recovers once it is granted', async () => {
    s3.put('a.pdf', '%PDF-1.7 a');
    s3.fault = () => DENIED;
    const refused = await create('s3', s3.fields, 'de');
    expectError(refused, 422, 'CREDENTIALS_REJECTED', { 'fields.secret_key': 'PERMISSION_MISSING' }, 'de');

    s3.fault = () => undefined;
    const uuid = await connect(client, 's3', s3.fields);
    await engine.waitForFetches(uuid, 1);
    const fetchAgain = async (count: number) => {
      await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
      return engine.waitForLastFetch(uuid, count);
    };
    s3.fault = () => DENIED;
    expect(await fetchAgain(2)).toMatchObject({ status: 'FAILED', error_code: 'SCOPE_MISSING' });
    const reason = { code: 'SCOPE_MISSING', action: 'UPDATE_CREDENTIALS' };
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'ACTION_REQUIRED', reason });
    s3.fault = () => undefined;
    expect(await fetchAgain(3)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'OK', reason: null });
  });

  it.each(['en', 'de'] as const)('names the field whose options cannot be loaded (%s)', async (lang) => {
    const login = { user: 'anna', password: 'right' };
    const given = { ...login, url: `${dav.origin}/anders` };
    const wrong: [string, Record<string, unknown>, string][] = [
      ['webdav', given, 'url'],
      ['nextcloud', given, 'url'],
      ['s3', { ...s3.fields, bucket: 'andere' }, 'bucket'],
      // A web server without S3.
      ['s3', { ...s3.fields, endpoint: dav.origin }, 'endpoint'],
    ];
    dav.fault = ({ method }) => (method === 'GET' ? { status: 404, body: '<html>Not found</html>' } : undefined);
    for (const [integration, fields, field] of wrong) {
      const refused = await create(integration, fields, lang);
      const isBucket = field === 'bucket';
      const code = isBucket ? 'VALIDATION_FAILED' : 'PROVIDER_UNREACHABLE';
      const fault = isBucket ? 'NOTHING_THERE' : 'ENDPOINT_NOT_FOUND';
      expectError(refused, 422, code, { [`fields.${field}`]: fault }, lang);
    }
    dav.fault = () => ({ status: 302, headers: { location: s3.fields.endpoint as string } });
    const elsewhere = await create('webdav', { ...login, url: dav.origin + dav.base }, lang);
    expectError(elsewhere, 422, 'PROVIDER_UNREACHABLE', { 'fields.url': 'ENDPOINT_NOT_FOUND' }, lang);
  });

  /** The user has to correct values of the first step in the first step. */
  async function expectEndpointGone(uuid: string): Promise<void> {
    const reason = { code: 'ENDPOINT_NOT_FOUND', action: 'UPDATE_CREDENTIALS' };
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'ACTION_REQUIRED', reason });
  }

  it('distinguishes a missing WebDAV address from a missing selected folder', async () => {
    const login = { user: 'anna', password: 'right' };
    dav.put('Ablage/a.pdf', '%PDF-1.7 a');
    const uuid = await connect(client, 'webdav', { ...login, url: dav.origin + dav.base }, { folders: ['Ablage'] });
    await engine.waitForFetches(uuid, 1);
    const fetchAgain = async (count: number) => {
      await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
      return engine.waitForLastFetch(uuid, count);
    };
    dav.fault = ({ path }) => (path.includes('Ablage') ? { status: 404 } : undefined);
    expect(await fetchAgain(2)).toMatchObject({ status: 'FAILED', error_code: 'FOLDER_NOT_FOUND' });
    const reason = { code: 'FOLDER_NOT_FOUND', action: 'COMPLETE_SETUP' };
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'ACTION_REQUIRED', reason });
    dav.fault = () => ({ status: 404 });
    expect(await fetchAgain(3)).toMatchObject({ status: 'FAILED', error_code: 'ENDPOINT_NOT_FOUND' });
    await expectEndpointGone(uuid);
    dav.fault = () => undefined;
    expect(await fetchAgain(4)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('reports a missing bucket, and resumes after it is restored', async () => {
    s3.put('a.pdf', '%PDF-1.7 a');
    const uuid = await connect(client, 's3', s3.fields);
    await engine.waitForFetches(uuid, 1);
    s3.fault = () => ({ status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' });
    const { body } = await client.request('get', `/v1/connections/${uuid}`).expect(200);
    const { identity_uuid: identity } = (body as { data: { identity_uuid: string } }).data;
    const token = await client.createToken(identity);
    const answer = await client.requestWithToken(token, 'get', `/v1/connections/${uuid}/step2`);
    expectError(answer, 422, 'VALIDATION_FAILED', { 'fields.bucket': 'NOTHING_THERE' });
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({
      status: 'FAILED',
      error_code: 'ENDPOINT_NOT_FOUND',
    });
    await expectEndpointGone(uuid);
    s3.fault = () => undefined;
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'SUCCEEDED' });
  });
});
