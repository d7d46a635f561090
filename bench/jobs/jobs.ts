import { join } from 'node:path';
import { Child } from '../harness/processes/child';
import { BenchClient, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { median, table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';

const CONNECTIONS = 1_000;
const BASELINE_JOBS = 20_000;
const WORKERS = [1, 2, 4];
const ROUNDS = 3;
/** The number of connections that are created concurrently. */
const AT_ONCE = 10;

interface JobRate {
  readonly aSecond: number;
  /** CPU milliseconds per fetch, of all processes and of the database. */
  readonly cpu: number;
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
  const results: { workers: number; service: JobRate; baseline: JobRate }[] = [];
  for (const workers of WORKERS) {
    const service = await runService(database, dataDir, workers);
    const baseline = await runBaseline(database, workers);
    results.push({ workers, service, baseline });
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
  const lane = async () => {
    while (made++ < CONNECTIONS) await customer.connect(0, 1_000);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

async function runService(database: Database, dataDir: string, count: number): Promise<JobRate> {
  await using stack = new AsyncDisposableStack();
  const workers: Service[] = [];
  for (let number = 0; number < count; number++) {
    workers.push(stack.use(await Service.start(dataDir, { ...env(database), ROLE: 'worker' })));
  }
  await allFetched(database); // the first fetches, if any; then the pools are open and the code is compiled
  const usages = [database.usage, ...workers.map(({ usage }) => usage)];
  const round = async () => {
    await database.client.query('truncate "fetch" cascade');
    await database.client.query(`update connection set next_fetch_at = now()`);
    await allFetched(database);
  };
  await round();
  return await rate(CONNECTIONS, () => usages.reduce((sum, usage) => sum + usage.cpuOfFamily(), 0), round);
}

async function allFetched({ client }: Database): Promise<void> {
  await until('all connections have been fetched', async () => {
    const { rows } = await client.query<{ done: boolean }>(
      `select not exists (select 1 from connection where next_fetch_at <= now() or immediate_fetch_at <= now())
         and not exists (select 1 from "fetch" where finished_at is null) as done`,
    );
    return rows[0]!.done || undefined;
  });
}

async function runBaseline({ client, usage, url }: Database, count: number): Promise<JobRate> {
  await using stack = new AsyncDisposableStack();
  const workers = Array.from({ length: count }, () =>
    stack.use(Child.start(join(__dirname, 'baseline.process.js'), { DATABASE_URL: url })),
  );
  await Promise.all(workers.map((worker) => worker.heard()));
  const usages = [usage, ...workers.map((worker) => worker.usage)];
  const fill = async () => {
    await client.query('truncate floor_job');
    await client.query(`insert into floor_job (state) select 'created' from generate_series(1, ${BASELINE_JOBS})`);
    await client.query('vacuum analyze floor_job');
  };
  const work = async () => {
    await Promise.all(workers.map((worker) => worker.ask({ go: true })));
  };
  await fill();
  await work();
  return await rate(BASELINE_JOBS, () => usages.reduce((sum, one) => sum + one.cpuOfFamily(), 0), work, fill);
}

async function rate(
  jobs: number,
  cpu: () => number,
  work: () => Promise<void>,
  before: () => Promise<unknown> = () => Promise.resolve(),
): Promise<JobRate> {
  const rounds: JobRate[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await before();
    const [began, used] = [performance.now(), cpu()];
    await work();
    rounds.push({ aSecond: (jobs * 1000) / (performance.now() - began), cpu: (cpu() - used) / jobs });
  }
  return { aSecond: median(rounds.map(({ aSecond }) => aSecond)), cpu: median(rounds.map(({ cpu: each }) => each)) };
}

function report(results: readonly { workers: number; service: JobRate; baseline: JobRate }[]): string {
  const [one] = results;
  const rows = results.map(({ workers, service, baseline }) => [
    String(workers),
    service.aSecond.toFixed(0),
    (service.aSecond / one!.service.aSecond).toFixed(2),
    service.cpu.toFixed(2),
    baseline.aSecond.toFixed(0),
    (baseline.aSecond / one!.baseline.aSecond).toFixed(2),
    baseline.cpu.toFixed(2),
    (service.aSecond / baseline.aSecond).toFixed(3),
  ]);
  const headings = [
    ...['worker processes', 'fetches/s', '× one', 'CPU ms each'],
    ...['baseline jobs/s', '× one', 'CPU ms each', '× baseline'],
  ];
  return [table(headings, rows), NOTES].join('\n\n');
}

const NOTES = [
  `${CONNECTIONS.toLocaleString('en')} connections become due at once; the time is that until the last fetch has ended. Medians of ${ROUNDS} rounds. The connector`,
  'lists nothing. So a fetch is what the engine itself does for each: the scheduler finds it due, creates a fetch and a job, a worker',
  'takes the job, claims the fetch under a lease, opens the session (data key, secrets), commits the empty page with its cursor,',
  'settles fetch and connection, writes the fact for webhooks and completes the job. The workers are processes of the compiled',
  'service (`ROLE=worker`), ten jobs at once each; processor time is that of the workers and of the database server.',
  '',
  `The baseline is a bare process with \`pg\`: ${BASELINE_JOBS.toLocaleString('en')} rows, taken one at a time with \`SKIP LOCKED\` and marked as done, ten at once. It has two`,
  'statements a job where a fetch has some twenty. Everything shares the cores of one machine, the database too: more workers',
  'than cores show what contention costs, not what more machines would bring.',
].join('\n');
