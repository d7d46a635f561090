import { readFile, rm, stat } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrateDatabase } from '../../../src/bootstrap/database/open-database';
import { PostgresServer } from '../../harness/app/postgres-server';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { TestEngine, connectSandbox } from '../../harness/engine/test-engine';
import { eventually } from '../../harness/eventually';
import { type ProcessExit, ServiceProcess } from '../start/service-process';
import { clientAt, digestRows } from './transfer-setup';

const keys = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
/** Of the copied documents. */
const KIB = 64;
const MANY = 2_000;
const SOME = 500;
const FEW = 300;
/** What the garbage of a process may differ by. A process that held the documents would need 106 MiB more. */
const MEMORY_TOLERANCE_MIB = 60;

interface Page {
  readonly data: { readonly transaction_uuid: string }[];
  readonly meta: { readonly poll_cursor: string; readonly has_more: boolean };
}

/** Two database servers, a service on each, and the command line as processes of their own. */
describe('An environment that moves between two clusters while both serve others', () => {
  let server: PostgresServer;
  let source: TestEngine;
  let target: TestEngine;
  let folder: string;
  let neighbors: readonly [TestClient, TestClient];
  const stops: (() => void)[] = [];

  beforeAll(async () => {
    server = await PostgresServer.start();
    await migrateDatabase(server.url);
    source = await TestEngine.start();
    target = await TestEngine.start({
      databaseUrl: server.url,
      settings: { encryptionKeys: [{ id: 'target', bytes: Buffer.alloc(32, 8) }] },
    });
    folder = await mkdtemp(join(tmpdir(), 'docfetch-transfer-'));
    neighbors = [await createTestClient(source.app), await createTestClient(target.app)];
  });
  afterAll(async () => {
    await source?.stop();
    await target?.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const settingsOf = (engine: TestEngine) => ({
    DATABASE_URL: engine.app.databaseUrl,
    ENCRYPTION_KEYS: engine === source ? keys('test', 7) : keys('target', 8),
    TOKEN_KEYS: keys('test', 9),
    DATA_DIR: '/dev/null/docfetch',
  });
  const start = (engine: TestEngine, ...args: string[]) =>
    ServiceProcess.start('cli', settingsOf(engine), ['environment', ...args]);
  const isRunning = ({ child }: ServiceProcess) => child.exitCode === null && child.signalCode === null;

  async function succeed(engine: TestEngine, ...args: string[]): Promise<Record<string, string>> {
    const { status, stdout, stderr } = await (await start(engine, ...args, '--json')).end();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, string>;
  }

  /** Runs to the end; returns the largest resident memory, in MiB. */
  async function peakMemory(process: ServiceProcess): Promise<number> {
    let peak = 0;
    let exit: ProcessExit | undefined;
    void process.end().then((ended) => (exit = ended));
    await eventually(
      async () => {
        const status = await readFile(`/proc/${process.child.pid}/status`, 'utf8').catch(() => '');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
        return exit;
      },
      'the process ends',
      300_000,
    );
    expect({ status: exit!.status, stderr: exit!.stderr }).toEqual({ status: 0, stderr: '' });
    return peak;
  }

  /** Copies the rows of a fetched document; their content is random, as only its bytes are compared. */
  async function addDocuments(connection: string, count: number): Promise<void> {
    const client = new Client({ connectionString: source.app.databaseUrl });
    await client.connect();
    await client.query(
      `create temporary table added as select uuidv7() as content, uuidv7() as transaction, n from generate_series(1, $1::int) n`,
      [count],
    );
    await client.query(
      `insert into content select (jsonb_populate_record(null::content, to_jsonb(c) || jsonb_build_object('uuid', a.content, 'chunks', 1))).*
       from added a, (select * from content where owner_uuid = $1 limit 1) c`,
      [connection],
    );
    await client.query(
      `insert into content_chunk (content_uuid, environment_uuid, index, bytes)
       select a.content, c.environment_uuid, 0, decode(repeat(md5(a.n::text), ${KIB * 64}), 'hex')
       from added a join content c on c.uuid = a.content`,
    );
    await client.query(
      `insert into transaction select (jsonb_populate_record(null::transaction, to_jsonb(t) || jsonb_build_object('uuid', a.transaction, 'content_uuid', a.content,
         'dedupe_key', 'added-' || a.transaction, 'position', null))).*
       from added a, (select * from transaction where connection_uuid = $1 limit 1) t`,
      [connection],
    );
    await client.end();
  }

  async function environmentWith(count: number): Promise<{ client: TestClient; environment: string }> {
    const client = await createTestClient(source.app);
    const connection = await connectSandbox(client, { documents: 2, new_per_fetch: 0 });
    await source.waitForFetches(connection, 1);
    await addDocuments(connection, count);
    return { client, environment: client.environmentUuid };
  }

  /** Locks a table, so that a process has to wait for it. */
  async function blockTable(
    engine: TestEngine,
    table: string,
  ): Promise<{ waitForStatement(begin: string, process: ServiceProcess): Promise<unknown>; release(): Promise<void> }> {
    const lock = new Client({ connectionString: engine.app.databaseUrl });
    await lock.connect();
    await lock.query(`begin; lock table ${table} in access exclusive mode`);
    const waiting = (begin: string) =>
      engine.count(
        `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and starts_with(query, $1)`,
        begin,
      );
    return {
      waitForStatement: (begin, process) =>
        eventually(async () => (await waiting(begin)) > 0 || !isRunning(process), `${begin} waits`, 300_000),
      release: () => lock.end(),
    };
  }

  const recipient = async () => (await succeed(target, 'transfer-key'))['recipient']!;

  /** Polls wherever the environment is served, until told to stop. */
  function pollEverywhere(client: TestClient): { readonly seen: string[]; stop(): Promise<void> } {
    const seen: string[] = [];
    let isStopped = false;
    stops.push(() => (isStopped = true));
    const run = async () => {
      for (let cursor = ''; ;) {
        const isLast = isStopped;
        let hasMore = false;
        for (const engine of [source, target]) {
          const answered = await clientAt(engine, client).get(`/v1/transactions?limit=100${cursor}`);
          if (answered.status !== 200) continue;
          const { data, meta } = (await answered.json()) as Page;
          seen.push(...data.map(({ transaction_uuid }) => transaction_uuid));
          cursor = `&cursor=${meta.poll_cursor}`;
          hasMore = meta.has_more;
        }
        if (isLast && !hasMore) return;
        if (!hasMore) await pause(50);
      }
    };
    const running = run();
    running.catch(() => undefined); // thrown when it is stopped
    return {
      seen,
      stop: () => {
        isStopped = true;
        return running;
      },
    };
  }

  /** Checks all the time that other environments are served. */
  function watchNeighbors(): { stop(): Promise<number> } {
    let isStopped = false;
    stops.push(() => (isStopped = true));
    const run = async () => {
      let count = 0;
      for (; !isStopped; count++) {
        for (const neighbor of neighbors) {
          await neighbor.request('get', '/v1/transactions').expect(200);
          await neighbor.createIdentity();
        }
        await pause(50); // the machine is to do other work too
      }
      return count;
    };
    const running = run();
    running.catch(() => undefined); // thrown when it is stopped
    return {
      stop: () => {
        isStopped = true;
        return running;
      },
    };
  }

  // A server closes only after its last request.
  afterEach(() => stops.splice(0).forEach((stop) => stop()));

  it('survives the death of the export and of the import, and the client sees every document once', async () => {
    const { client, environment } = await environmentWith(SOME);
    const file = join(folder, 'killed.age');
    const others = watchNeighbors();
    const polling = pollEverywhere(client);
    await eventually(() => Promise.resolve(polling.seen.length > 200), 'a part of the feed is read');

    const key = await recipient();
    const exporting = await start(source, 'export', environment, '--recipient', key, '--output', file);
    const size = (path: string) =>
      stat(path).then(
        ({ size: bytes }) => bytes,
        () => 0,
      );
    await eventually(
      async () => (await size(`${file}.partial`)) > 10_000_000 || !isRunning(exporting),
      'a part is written',
    );
    expect((await exporting.kill('SIGKILL')).signal).toBe('SIGKILL');
    expect(await size(file)).toBe(0);
    await succeed(source, 'export', environment, '--recipient', key, '--output', file);

    const contents = () => target.count('select count(*) from content where environment_uuid = $1', environment);
    const first = await start(target, 'import', file);
    await eventually(async () => (await contents()) > 100 || !isRunning(first), 'a part of the documents is stored');
    expect((await first.kill('SIGKILL')).signal).toBe('SIGKILL');

    // The second one dies in the transaction of the rows.
    const rows = await blockTable(target, 'sandbox_consent');
    const second = await start(target, 'import', file);
    await rows.waitForStatement('copy "sandbox_consent"', second);
    expect((await second.kill('SIGKILL')).signal).toBe('SIGKILL');
    await rows.release();
    expect(await target.count('select count(*) from environment where uuid = $1', environment)).toBe(0);

    const { receipt } = await succeed(target, 'import', file);
    expect(await digestRows(target, environment)).toEqual(await digestRows(source, environment));
    const bytes = (engine: TestEngine) =>
      engine.rows(
        `select count(*), md5(string_agg(md5(bytes), '' order by content_uuid, index)) from content_chunk where environment_uuid = $1`,
        environment,
      );
    expect(await bytes(target)).toEqual(await bytes(source));
    const { activation_code } = await succeed(source, 'confirm-export', environment, `--receipt=${receipt}`);
    const { completion_code } = await succeed(target, 'activate', environment, `--code=${activation_code}`);
    await polling.stop();
    const expected = await target.rows<{ uuid: string }>(
      'select uuid from transaction where environment_uuid = $1',
      environment,
    );
    expect([...polling.seen].sort()).toEqual(expected.map(({ uuid }) => uuid).sort());
    expect(expected).toHaveLength(SOME + 2);

    // Dies between the batches of the large tables and the commit of the rest.
    const rest = await blockTable(source, 'sandbox_consent');
    const deleting = await start(source, 'delete-moved', environment, `--code=${completion_code}`);
    await rest.waitForStatement('delete from "sandbox_consent"', deleting);
    expect((await deleting.kill('SIGKILL')).signal).toBe('SIGKILL');
    await rest.release();
    expect(await source.count('select count(*) from transaction where environment_uuid = $1', environment)).toBe(0);
    expect(await source.count('select count(*) from environment where uuid = $1', environment)).toBe(1);
    await succeed(source, 'delete-moved', environment, `--code=${completion_code}`);
    expect(Object.keys(await digestRows(source, environment))).toEqual(['audit_log']);
    expect(await others.stop()).toBeGreaterThan(10);
  }, 600_000);

  it('needs the same memory for few and for many documents', async () => {
    const key = await recipient();
    const peaks: { export: number; import: number }[] = [];
    for (const count of [FEW, MANY]) {
      const { environment } = await environmentWith(count);
      const file = join(folder, `${count}.age`);
      const exported = await peakMemory(
        await start(source, 'export', environment, '--recipient', key, '--output', file),
      );
      peaks.push({ export: exported, import: await peakMemory(await start(target, 'import', file)) });
    }
    const [few, many] = peaks as [(typeof peaks)[0], (typeof peaks)[0]];
    process.stderr.write(`Peak memory in MiB of ${FEW} and ${MANY} documents: ${JSON.stringify(peaks)}\n`);
    expect(many.export - few.export).toBeLessThan(MEMORY_TOLERANCE_MIB);
    expect(many.import - few.import).toBeLessThan(MEMORY_TOLERANCE_MIB);
  }, 600_000);
});
