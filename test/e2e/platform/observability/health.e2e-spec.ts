import { Client } from 'pg';
import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { startApp, type TestApp } from '../../../harness/app/start-app';

describe('GET /health', () => {
  let app: TestApp;
  const get = (path: string) => requestWithoutCredentials(app, 'get', `/health/${path}`);

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app?.stop());

  it('reports that the process is running', async () => {
    const { status, body } = await get('live');
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });

  it('reports whether the service is ready, and unavailable dependencies', async () => {
    const ready = { status: 'ok', details: { database: { status: 'up' } } };
    expect((await get('ready').expect(200)).body).toEqual(ready);

    const address = new URL(app.databaseUrl);
    const name = address.pathname.slice(1);
    address.pathname = '/postgres';
    const server = new Client({ connectionString: String(address) });
    await server.connect();
    try {
      await server.query(`alter database "${name}" allow_connections false`);
      await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const { body } = await get('ready').expect(503);
      expect(body).toEqual({ status: 'error', details: { database: { status: 'down' } } });
      await get('live').expect(200);
    } finally {
      await server.query(`alter database "${name}" allow_connections true`);
      await server.end();
    }
    await eventually(async () => (await get('ready')).status === 200, 'it is ready again');
  });

  it('is not ready with a read-only database, such as a standby after a failover', async () => {
    const database = new Client({ connectionString: app.databaseUrl });
    await database.connect();
    const name = new URL(app.databaseUrl).pathname.slice(1);
    const others =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';
    try {
      await database.query(`alter database "${name}" set default_transaction_read_only to on`);
      await database.query(others, [name]);
      const { body } = await get('ready').expect(503);
      expect(body).toEqual({ status: 'error', details: { database: { status: 'down' } } });
    } finally {
      await database.query(`alter database "${name}" reset default_transaction_read_only`);
      await database.query(others, [name]);
      await database.end();
    }
    await eventually(async () => (await get('ready')).status === 200, 'it is ready again');
  });
});
