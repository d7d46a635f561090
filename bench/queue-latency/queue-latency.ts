import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BenchClient, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';

const FETCHES = 200;
/** decisions 2: the number of accepted fetches per connection and hour. */
const ACCEPTED = 5;
/** The minimum and maximum idle time before each fetch, random so that due times do not coincide with timers. */
const IDLE_MS = [100, 600] as const;

/** Milliseconds until the connector's first call: from the response 202, or from the due time. */
type Latencies = readonly number[];

/** The latency of manual and of scheduled fetches on an idle system. */
export async function queueLatency(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const env = { DATABASE_URL: database.url, RATE_LIMIT_PER_KEY: '1000000000', ...WITH_BENCH_CONNECTOR };
  const rows: [name: string, latencies: Latencies][] = [];
  {
    await using service = await Service.start(dataDir, { ...env, ROLE: 'all' });
    const system = await IdleSystem.of(database, service, service);
    rows.push(['manual, one process (`ROLE=all`)', await system.manual()]);
  }
  await using api = await Service.start(dataDir, { ...env, ROLE: 'api' });
  await using worker = await Service.start(dataDir, { ...env, ROLE: 'worker' });
  const system = await IdleSystem.of(database, api, worker);
  rows.push(['manual, two processes (`ROLE=api`, `ROLE=worker`)', await system.manual()]);
  rows.push(['scheduled (`ROLE=worker`)', await system.scheduled()]);
  return report(rows);
}

/** Connections that are not due, and the processes that fetch them. */
class IdleSystem {
  private constructor(
    private readonly database: Database,
    private readonly api: Service,
    private readonly worker: Service,
    private readonly key: string,
    private readonly connections: readonly string[],
  ) {}

  static async of(database: Database, api: Service, worker: Service): Promise<IdleSystem> {
    const customer = await BenchClient.create(api);
    const connections: string[] = [];
    for (let number = 0; number < FETCHES / ACCEPTED; number++) connections.push(await customer.connect(0, 1_000));
    const system = new IdleSystem(database, api, worker, customer.key, connections);
    await system.allEnded();
    return system;
  }

  /** From the response of fetch-now. */
  manual(): Promise<Latencies> {
    return this.measure(async (connection) => {
      await pause(idleMs());
      await this.api.call(this.key, 'POST', `/v1/connections/${connection}/fetch-now`);
      return performance.timeOrigin + performance.now();
    });
  }

  /** From the time at which the connection is due, which was set before. */
  scheduled(): Promise<Latencies> {
    return this.measure(async (connection) => {
      const due = Date.now() + idleMs();
      await this.database.client.query('update connection set next_fetch_at = $2 where uuid = $1', [
        connection,
        new Date(due),
      ]);
      while (Date.now() <= due) await pause(Math.max(1, due - Date.now())); // later than `due` by the database's clock too
      return due;
    });
  }

  /** `begin` resolves with the time from which a fetch of the connection may start. */
  private async measure(begin: (connection: string) => Promise<number>): Promise<Latencies> {
    const takeListCalls = () => this.worker.child.ask<number[]>({ listCalls: true });
    await takeListCalls();
    const latencies: number[] = [];
    for (let round = 0; round < FETCHES; round++) {
      const from = await begin(this.connections[round % this.connections.length]!);
      await this.allEnded();
      const [first, ...others] = await takeListCalls();
      if (first === undefined || others.length > 0) throw new Error('One begin, one fetch.');
      latencies.push(Math.max(0, first - from)); // it may start before the response has arrived
    }
    return latencies;
  }

  /** Resolves when no fetch runs and no connection is due. */
  private async allEnded(): Promise<void> {
    await until('all fetches have ended', async () => {
      const { rows } = await this.database.client.query<{ ended: boolean }>(
        `select not exists (select 1 from "fetch" where finished_at is null) and not exists (
           select 1 from connection where immediate_fetch_at is not null or next_fetch_at <= now()) as ended`,
      );
      return rows[0]!.ended || undefined;
    });
  }
}

function idleMs(): number {
  const [least, most] = IDLE_MS;
  return least + Math.random() * (most - least);
}

function report(latenciesOf: readonly (readonly [name: string, latencies: Latencies])[]): string {
  const rows = latenciesOf.map(([name, latencies]) => {
    const sorted = [...latencies].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);
    return [name, String(sorted.length), at(0.5), at(0.9), at(0.99), at(1)];
  });
  return [table(['fetch', 'fetches', 'p50', 'p90', 'p99', 'worst'], rows), NOTES].join('\n\n');
}

const NOTES = [
  'Milliseconds from the answer 202 of `POST /v1/connections/{uuid}/fetch-now`, or from the due time of a scheduled fetch, to the first',
  'call of the connector (goal: a second). Claiming the fetch, reading its connection and decrypting its secrets are included. One fetch',
  `at a time; before each the system is idle for ${IDLE_MS[0]} to ${IDLE_MS[1]} ms, at random. The clocks are that of the machine. In one process the API tells`,
  'the worker that there is something to do; a worker by itself polls every 250 ms, which explains the difference.',
].join('\n');
