import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { BusyCores } from '../harness/processes/busy-cores';
import { Child } from '../harness/processes/child';
import { BenchClient, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import type { Usage } from '../harness/processes/usage';
import { median } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';
import { BASELINE_JOBS, CONNECTIONS, type JobRate, type JobRates, report, ROUNDS } from './jobs-report';
import { logBytes } from './write-ahead-log';

const WORKERS = [1, 2, 4];
/** Rounds for each worker before the first measurement: with several, each has only a part of the fetches to compile its code. */
const WARM_UPS = 2;
/** Connections become due this long after their date was set, so that setting it is not measured. */
const LEAD_MS = 2_000;
/** PostgreSQL's sessions report their statistics this late at most. */
const STATISTICS_MS = 2_000;
/** The number of connections that are created concurrently. */
const AT_ONCE = 10;

/** Work that is measured, and what comes before it. */
interface Measured {
  readonly prepare: () => Promise<unknown>;
  /** Resolves when the work may begin. */
  readonly begin: () => Promise<unknown>;
  /** Resolves with its duration in milliseconds. */
  readonly work: () => Promise<number>;
}

/** From "due" to "fetched" with a connector that does nothing, by the number of worker processes. */
export async function jobs(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  await database.client.query(
    'create table floor_job (id bigint generated always as identity primary key, state text)',
  );
  await database.client.query(`create index floor_job_next on floor_job (id) where state = 'created'`);
  await makeConnections(database, dataDir);
  const results: JobRates[] = [];
  for (const workers of WORKERS) {
    const service = await runService(database, dataDir, workers);
    const baseline = await runBaseline(database, workers);
    results.push({ workers, ...service, baseline });
    process.stdout.write(`${JSON.stringify(results.at(-1))}\n`);
  }
  return report(results);
}

const env = (database: Database) => ({
  DATABASE_URL: database.url,
  DATABASE_POOL: '12', // four workers share a hundred connections
  RATE_LIMIT_PER_KEY: '1000000000',
  ...WITH_BENCH_CONNECTOR,
});

/** Creates connections through the API, as a client would; their first fetches are scheduled. */
async function makeConnections(database: Database, dataDir: string): Promise<void> {
  await using service = await Service.start(dataDir, { ...env(database), ROLE: 'api' });
  const customer = await BenchClient.create(service);
  let made = 0;
  const worker = async () => {
    while (made++ < CONNECTIONS) await customer.connect(0, 1_000);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function runService(
  database: Database,
  dataDir: string,
  count: number,
): Promise<Pick<JobRates, 'service' | 'inPlace'>> {
  await using stack = new AsyncDisposableStack();
  const workers: Service[] = [];
  for (let number = 0; number < count; number++) {
    workers.push(stack.use(await Service.start(dataDir, { ...env(database), ROLE: 'worker' })));
  }
  const measured = dueAtOnce(database);
  if (count === WORKERS[0]) await measured.work(); // the first fetches
  for (let warmUp = 0; warmUp < WARM_UPS * count; warmUp++) {
    await measured.prepare();
    await measured.work();
  }
  const usages = [database.usage, ...workers.map(({ usage }) => usage)];
  let fetches = 0;
  const work = async () => {
    fetches += CONNECTIONS;
    return measured.work();
  };
  const before = await updatesInPlace(database.client);
  const service = await rate(database.client, CONNECTIONS, usages, { ...measured, work });
  return { service, inPlace: ((await updatesInPlace(database.client)) - before) / fetches };
}

/** How many updates of connections have written no index so far. */
async function updatesInPlace(client: Client): Promise<number> {
  await pause(STATISTICS_MS);
  const { rows } = await client.query<{ count: number }>(
    `select n_tup_hot_upd::integer as count from pg_stat_user_tables where relname = 'connection'`,
  );
  return rows[0]!.count;
}

/** All connections become due at the same time. */
function dueAtOnce({ client }: Database): Measured {
  let due = 0;
  let since = new Date(0);
  return {
    prepare: async () => {
      await client.query('vacuum analyze connection, "fetch", outbox'); // the fetches of earlier rounds are the history
      since = new Date();
      due = Date.now() + LEAD_MS;
      await client.query('update connection set next_fetch_at = $1, immediate_fetch_at = null', [new Date(due)]);
    },
    begin: () => pause(Math.max(0, due - Date.now())),
    work: () =>
      until('all connections have been fetched', async () => {
        const { rows } = await client.query<{ count: number; ms: number }>(
          `select count(*)::integer as count, extract(epoch from max(finished_at) - min(started_at))::float8 * 1000 as ms
           from "fetch" where finished_at is not null and created_at >= $1
             and not exists (select from outbox where dispatched_at is null)`,
          [since],
        );
        return rows[0]!.count >= CONNECTIONS ? rows[0]!.ms : undefined;
      }),
  };
}

async function runBaseline({ client, usage, url }: Database, count: number): Promise<JobRate> {
  await using stack = new AsyncDisposableStack();
  const workers = Array.from({ length: count }, () =>
    stack.use(Child.start(join(__dirname, 'baseline.process.js'), { DATABASE_URL: url })),
  );
  await Promise.all(workers.map((worker) => worker.nextMessage()));
  const usages = [usage, ...workers.map((worker) => worker.usage)];
  const prepare = async () => {
    await client.query('truncate floor_job');
    await client.query(`insert into floor_job (state) select 'created' from generate_series(1, ${BASELINE_JOBS})`);
    await client.query('vacuum analyze floor_job');
  };
  const work = async () => {
    const began = performance.now();
    await Promise.all(workers.map((worker) => worker.ask({ go: true })));
    return performance.now() - began;
  };
  await prepare();
  await work();
  return await rate(client, BASELINE_JOBS, usages, { prepare, begin: () => Promise.resolve(), work });
}

async function rate(
  client: Client,
  jobs: number,
  usages: readonly Usage[],
  { prepare, begin, work }: Measured,
): Promise<JobRate> {
  const cpu = () => usages.reduce((sum, usage) => sum + usage.cpuOfFamily(), 0);
  const rounds: Omit<JobRate, 'log'>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await prepare();
    await begin();
    const ms = await work();
    await prepare();
    using _busy = new BusyCores();
    await begin();
    const used = cpu();
    await work();
    rounds.push({ aSecond: (jobs * 1000) / ms, cpu: (cpu() - used) / jobs });
  }
  return {
    aSecond: median(rounds.map(({ aSecond }) => aSecond)),
    cpu: median(rounds.map(({ cpu: each }) => each)),
    log: await logBytes(client, jobs, prepare, work),
  };
}
