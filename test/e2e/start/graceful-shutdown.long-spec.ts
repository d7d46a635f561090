import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { Client } from 'pg';
import request from 'supertest';
import { startApp, type TestApp } from '../../harness/app/start-app';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { freePort } from '../../harness/free-port';
import { ServiceProcess } from './service-process';

const KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
const DELAY_SECONDS = 3;

describe('An API process that gets SIGTERM', () => {
  let preparing: TestApp;
  let client: TestClient;
  let database: Client;

  beforeAll(async () => {
    preparing = await startApp();
    client = await createTestClient(preparing);
    database = new Client({ connectionString: preparing.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await preparing?.stop();
  });

  const start = async (settings: Record<string, string>) => {
    const port = await freePort();
    const service = await ServiceProcess.start('main', {
      PORT: String(port),
      PUBLIC_URL: 'https://docfetch.test',
      DATABASE_URL: preparing.databaseUrl,
      ENCRYPTION_KEYS: KEYS,
      TOKEN_KEYS: KEYS,
      ROLE: 'api',
      ...settings,
    });
    await service.ready();
    return { service, port, url: `http://127.0.0.1:${port}` };
  };

  /** A request of a client that keeps its connection, which waits in the database until `release` is called. */
  async function requestInFlight(port: number) {
    await database.query('begin');
    await database.query('lock table identity in access exclusive mode');
    const agent = new Agent({ keepAlive: true });
    const answer = new Promise<{ status?: number; connection?: string }>((resolve, reject) => {
      const path = `/v1/identities/${randomUUID()}`;
      get({ host: '127.0.0.1', port, path, agent, headers: { 'x-api-key': client.apiKey } }, (response) => {
        response.resume().on('end', () => {
          resolve({ status: response.statusCode, connection: response.headers.connection });
        });
      }).on('error', reject);
    });
    await eventually(async () => (await waitingRequests()).rowCount === 1, 'the request waits in the database');
    return { answer, release: () => database.query('commit'), end: () => agent.destroy() };
  }

  const waitingRequests = () =>
    database.query("select from pg_locks where not granted and relation = 'identity'::regclass");

  it('is not ready at once, still answers, then refuses connections, and completes the request in flight', async () => {
    const { service, port, url } = await start({ SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS) });
    await request(url).get('/health/ready').expect(200);
    const held = await requestInFlight(port);
    service.child.kill('SIGTERM');

    await eventually(async () => (await request(url).get('/health/ready')).status === 503, 'it is not ready');
    const { body } = await request(url).get('/health/ready').expect(503);
    expect(body).toEqual({ status: 'shutting_down', details: { database: { status: 'up' } } });
    await request(url).get('/health/live').expect(200);
    const served = await request(url).get('/v1/integrations').set('X-API-KEY', client.apiKey).expect(200);
    expect(served.headers.connection).toBe('close');

    const isRefused = () =>
      request(url)
        .get('/health/live')
        .then(
          () => false,
          (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
        );
    await eventually(isRefused, 'it accepts no connections');
    await held.release();
    expect(await held.answer).toEqual({ status: 404, connection: 'close' });
    expect(await service.end()).toMatchObject({ status: 0, stderr: '' });
    held.end();
  });

  it('ends without a delay when none is set, after the request in flight', async () => {
    const { service, port } = await start({});
    const held = await requestInFlight(port);
    service.child.kill('SIGTERM');
    await held.release();
    expect(await held.answer).toMatchObject({ status: 404 });
    const released = performance.now();
    expect(await service.end()).toMatchObject({ status: 0, stderr: '' });
    // Not the 65 s for which Node keeps an idle connection.
    expect(performance.now() - released).toBeLessThan(30_000);
    held.end();
  });

  it('ends although a client has opened a connection and another has sent half a request', async () => {
    const { service, port } = await start({});
    const [unused, halfway] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all([once(unused, 'connect'), once(halfway, 'connect')]);
    halfway.write('GET /health/live HTTP/1.1\r\nHost: ');
    service.child.kill('SIGTERM');
    expect(await service.end()).toMatchObject({ status: 0, stderr: '' });
    for (const socket of [unused, halfway]) socket.destroy();
  });
});
