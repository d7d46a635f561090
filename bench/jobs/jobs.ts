import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { BusyCores } from '../harness/processes/busy-cores';
import { Child } from '../harness/processes/child';
import { BenchClient, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import type { Usage } from '../harness/processes/usage';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';
import { BASELINE_JOBS, CONNECTIONS, type JobRates, type Measurement, report, ROUNDS } from './jobs-report';
import { ServicePool } from './service-pool';
import { logBytes } from './write-ahead-log';

/** The numbers of worker processes, compared within each round: the speed of a machine changes from minute to minute. */
const WORKERS = [1, 2, 4];
const MOST = Math.max(...WORKERS);
/** Rounds before the first measurement, with all workers: each has only a part of the fetches to compile its code. */
const WARM_UPS = 2 * MOST;
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
  await using stack = new AsyncDisposableStack();
  const services = stack.use(new ServicePool(database.client));
  for (let number = 0; number < MOST; number++) {
    services.add(await Service.start(dataDir, { ...env(database), ROLE: 'worker' }));
  }
  const baselines = Array.from({ length: MOST }, () =>
    stack.use(Child.start(join(__dirname, 'baseline.process.js'), { DATABASE_URL: database.url })),
  );
  await Promise.all(baselines.map((baseline) => baseline.nextMessage()));
  return report(await measure(database, services, baselines));
}

/** Every round measures every number of workers, one after the other. */
async function measure(
  database: Database,
  services: ServicePool,
  baselines: readonly Child[],
): Promise<readonly JobRates[]> {
  const service = dueAtOnce(database);
  const baseline = (workers: number) => baselineJobs(database, baselines.slice(0, workers));
  await service.work(); // the first fetches
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) await once(service);
  await once(baseline(MOST));
  const results = WORKERS.map((workers) => ({ workers, service: [] as Measurement[], baseline: [] as Measurement[] }));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const result of results) {
      const { workers } = result;
      await services.run(workers);
      await once(service); // opens the database connections that idle workers have closed
      result.service.push(await rate(CONNECTIONS, [database.usage, ...services.usages], service));
      const usages = [database.usage, ...baselines.slice(0, workers).map(({ usage }) => usage)];
      result.baseline.push(await rate(BASELINE_JOBS, usages, baseline(workers)));
    }
    const last = results.map((result) => ({
      ...result,
      service: result.service.at(-1),
      baseline: result.baseline.at(-1),
    }));
    process.stdout.write(`Round ${round} of ${ROUNDS}: ${JSON.stringify(last)}\n`);
  }
  const rates: JobRates[] = [];
  for (const result of results) {
    await services.run(result.workers);
    await once(service);
    const { prepare, work } = baseline(result.workers);
    const log = {
      baseline: await logBytes(database.client, BASELINE_JOBS, prepare, work),
      service: await logBytes(database.client, CONNECTIONS, service.prepare, service.work),
    };
    rates.push({ ...result, log, inPlace: await updatesInPlace(database.client, () => once(service)) });
  }
  return rates;
}

async function once({ prepare, begin, work }: Measured): Promise<number> {
  await prepare();
  await begin();
  return work();
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

/** How many updates of a connection write no index, for each fetch. */
async function updatesInPlace(client: Client, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await pause(STATISTICS_MS);
    const { rows } = await client.query<{ count: number }>(
      `select n_tup_hot_upd::integer as count from pg_stat_user_tables where relname = 'connection'`,
    );
    return rows[0]!.count;
  };
  const before = await count();
  await work();
  return ((await count()) - before) / CONNECTIONS;
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

/** The same number of processes takes the jobs of a table. */
function baselineJobs({ client }: Database, workers: readonly Child[]): Measured {
  return {
    prepare: async () => {
      await client.query('truncate floor_job');
      await client.query(`insert into floor_job (state) select 'created' from generate_series(1, ${BASELINE_JOBS})`);
      await client.query('vacuum analyze floor_job');
    },
    begin: () => Promise.resolve(),
    work: async () => {
      const began = performance.now();
      await Promise.all(workers.map((worker) => worker.ask({ go: true })));
      return performance.now() - began;
    },
  };
}

/** Once for the rate, and once with all cores busy for the processor time. */
async function rate(jobs: number, usages: readonly Usage[], { prepare, begin, work }: Measured): Promise<Measurement> {
  const cpu = () => usages.reduce((sum, usage) => sum + usage.cpuOfFamily(), 0);
  const ms = await once({ prepare, begin, work });
  await prepare();
  using _busy = new BusyCores();
  await begin();
  const used = cpu();
  await work();
  return { aSecond: (jobs * 1000) / ms, cpu: (cpu() - used) / jobs };
}
