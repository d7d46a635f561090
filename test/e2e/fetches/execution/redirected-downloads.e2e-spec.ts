import { FakeDavServer } from '../../../fakes/webdav/fake-dav-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { connect, getConnection, TestEngine } from '../../../harness/engine/test-engine';

describe('Downloads that are redirected to forbidden addresses', () => {
  let engine: TestEngine;
  let client: TestClient;
  let server: FakeDavServer;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
    server = await FakeDavServer.start();
  });
  afterAll(async () => {
    await server.stop();
    await engine.stop();
  });

  it('fail individually, however many there are, and are retried by the next fetch', async () => {
    const targets = [
      'http://169.254.169.254/latest',
      'http://10.0.0.1:9/',
      'https://[fe80::1]/',
      'http://192.168.1.1/',
    ];
    const redirected = Array.from({ length: 20 }, (_, n) => `a${10 + n}.pdf`);
    // The oldest come first, consecutively.
    for (const name of redirected) server.put(name, `%PDF-1.7 ${name}`, new Date('2026-01-01T00:00:00Z'));
    for (let n = 0; n < 40; n++) server.put(`b${n}.pdf`, `%PDF-1.7 b${n}`);
    server.fault = ({ method, path }) => {
      const location =
        method === 'GET' ? targets[Number(/\/a\d(\d)\.pdf$/.exec(path)?.[1]) % targets.length] : undefined;
      return location === undefined ? undefined : { status: 302, headers: { location } };
    };
    const fields = { url: server.origin + server.base, user: 'anna', password: 'right' };
    const uuid = await connect(client, 'webdav', fields);
    const first = { status: 'PARTIAL', error_code: null, new: 40, failed: redirected.length };
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject(first);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK', reason: null });
    const failed = await engine.rows<{ filename: string; code: string }>(
      'select filename, code from fetch_failure where connection_uuid = $1 order by filename',
      uuid,
    );
    expect(failed).toEqual(redirected.map((filename) => ({ filename, code: 'DOCUMENT_UNAVAILABLE' })));

    server.fault = () => undefined;
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({
      status: 'SUCCEEDED',
      new: redirected.length,
      failed: 0,
    });
  });
});
