import { Client } from 'pg';
import { Receiver } from '../fakes/receiver';
import { createDocuments, isDelivered } from '../e2e/provisioning/push/push-setup';
import { TestEngine } from '../harness/engine/test-engine';
import { runEntryPoint } from '../e2e/start/run-entry-point';
import { eventually } from '../harness/eventually';
import { PgBouncer } from '../harness/app/pgbouncer';
import { ADMIN_URL, emptyDatabaseUrl, migratedDatabaseUrl } from '../setup/database';
import { pooler } from '../setup/poolers';

const FOLDER = { DATA_DIR: '/dev/null/docfetch', PORT: '0' };
const KEYS = {
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  TOKEN_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
};
/** More than the service may keep a connection of the server for. */
const DOCUMENTS = 40;

describe(`PgBouncer in ${pooler} mode`, () => {
  let pgBouncer: PgBouncer;
  let receiver: Receiver;

  beforeAll(async () => {
    // In session mode each connection of the service occupies one of the server.
    const settings = { default_pool_size: pooler === 'transaction' ? '2' : '20' };
    pgBouncer = await PgBouncer.start(process.env[ADMIN_URL]!, pooler!, settings);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver?.stop();
    await pgBouncer?.stop();
  });

  const engineThrough = async () => {
    const databaseUrl = await migratedDatabaseUrl();
    const settings = { databaseUrl: pgBouncer.through(databaseUrl), databasePooler: pooler };
    return TestEngine.start({ databaseUrl, settings });
  };
  const delivered = async (engine: TestEngine) => {
    const { transactions } = await createDocuments(engine, receiver.url(), DOCUMENTS);
    await Promise.all(transactions.map(({ uuid }) => engine.waitForTransaction(uuid, 'it is pushed', isDelivered)));
    return transactions.map(({ uuid }) => uuid).sort();
  };

  it('is not used without DATABASE_POOLER: the service says in one line what to set', async () => {
    const DATABASE_URL = pgBouncer.through(await migratedDatabaseUrl());
    for (const entryPoint of ['main', 'migrate', 'cli'] as const) {
      const { status, stderr } = await runEntryPoint(entryPoint, { ...FOLDER, ...KEYS, DATABASE_URL }, [
        'environment',
        'list',
      ]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^[^\n]*DATABASE_URL is the address of a connection pooler: set DATABASE_POOLER[^\n]*\n$/);
    }
  });

  it('carries the migration step, through a direct address or in session mode', async () => {
    const direct = await emptyDatabaseUrl();
    const DATABASE_URL = pgBouncer.through(direct);
    const env = { ...FOLDER, ...KEYS, DATABASE_URL, DATABASE_POOLER: pooler! };
    const given = pooler === 'transaction' ? { ...env, DATABASE_DIRECT_URL: direct } : env;
    expect(await runEntryPoint('migrate', given)).toMatchObject({ status: 0, stderr: '' });
    expect(await runEntryPoint('main', given)).toMatchObject({ status: 0, stderr: '' });
  });

  it('shares its connections of the server between all that the service has', async () => {
    const engine = await engineThrough();
    const server = new Client({ connectionString: engine.app.databaseUrl });
    await server.connect();
    try {
      let most = 0;
      const watched = delivered(engine).finally(() => (most = -most));
      await eventually(async () => {
        const { rows } = await server.query<{ count: string }>(
          `select count(*) from pg_stat_activity where datname = current_database() and application_name like 'docfetch%'`,
        );
        if (most >= 0) most = Math.max(most, Number(rows[0]!.count));
        return most < 0;
      }, 'all documents are pushed');
      expect(await watched).toHaveLength(DOCUMENTS);
      if (pooler === 'transaction') expect(-most).toBeLessThanOrEqual(2);
      else expect(-most).toBeGreaterThan(2);
    } finally {
      await server.end();
      await engine.stop();
    }
  });

  it('can be restarted under the service, which loses nothing and sends nothing twice', async () => {
    const engine = await engineThrough();
    try {
      receiver.clear();
      const [uuids] = await Promise.all([
        delivered(engine),
        receiver.waitForRequests(DOCUMENTS / 4, 60_000).then(() => pgBouncer.restart()),
      ]);
      expect([...receiver.keys].sort()).toEqual(uuids);
    } finally {
      await engine.stop();
    }
  });
});
