import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../harness/processes/child';
import { BenchClient, finishedFetch, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';
import { createClients } from './clients';

/** `BENCH_SCALE=0.1` runs a trial with fewer clients and less time. */
const scaled = (count: number) => Math.max(2, Math.round(count * Number(process.env.BENCH_SCALE ?? 1)));
const DOCUMENT_BYTES = 20_000;
/** The number of pending documents of each slow client. */
const WAITING = 10;
/** The interval between due documents of the healthy client. */
const EVERY_MS = 500;
/** The duration of a measurement, in which the slow clients reach their time limit of 30 s twice. */
const SECONDS = 75;
const SETTLE_MS = 3_000;
/** The time limit after the last due document; missing documents count as delayed by this time. */
const PATIENCE_MS = 60_000;

interface Disturbance {
  readonly what: string;
  readonly clients: number;
  readonly path: '/hanging' | '/slow';
  readonly sameOrigin: boolean;
  /** True when they answered at once before, so that they start with the same slots as the healthy client. */
  readonly prompt?: boolean;
}

const DISTURBANCES: readonly Disturbance[] = [
  { what: '60 hang', clients: 60, path: '/hanging', sameOrigin: false },
  { what: '500 hang', clients: 500, path: '/hanging', sameOrigin: false },
  { what: '1,000 hang', clients: 1_000, path: '/hanging', sameOrigin: false },
  { what: '1,000 begin to hang at once', clients: 1_000, path: '/hanging', sameOrigin: false, prompt: true },
  { what: '100 answer after 25 s', clients: 100, path: '/slow', sameOrigin: false },
  { what: '20 hang at its own origin', clients: 20, path: '/hanging', sameOrigin: true },
];

/** The delays of the healthy client's documents in milliseconds, and the memory growth of the worker. */
interface DeliveryDelay {
  readonly late: readonly number[];
  readonly growth: number;
  /** The number of requests without a response at the end. */
  readonly waiting: number;
}

/** A healthy client next to many whose endpoints hang or are slow. */
export async function isolation(folder: string): Promise<string> {
  await using setup = await IsolationSetup.start(join(folder, 'service'));
  const rows = [row('no slow client', await setup.measure(null))];
  for (const disturbance of DISTURBANCES) {
    rows.push(row(disturbance.what, await setup.measure(disturbance)));
    process.stdout.write(`${rows.at(-1)!.join(' ')}\n`);
  }
  return [
    table(['slow clients', 'p50, ms', 'p95, ms', 'max, ms', 'requests waiting', 'RSS growth, MiB'], rows),
    [
      `Milliseconds from the moment a document of ${DOCUMENT_BYTES / 1000} KB is due for a healthy client until its endpoint has all of it, one document every`,
      `${EVERY_MS} ms for ${scaled(SECONDS)} s, with one worker. ${WAITING} documents become due for each slow client at the beginning; from then on they`,
      'are tried as the schedule has it. The goal is a p95 of 2,000 ms in every row, and 150 MiB of growth. Growth is the highest',
      'resident memory of the worker above what it had before. Before endpoints that wait were taken out of the places, the healthy client waited',
      '24 s beside 60 that hang, more than 300 s beside 500, 58 s beside 100 slow ones and 28.8 s beside 20 at its own origin.',
    ].join('\n'),
  ].join('\n\n');
}

function row(what: string, { late, growth, waiting }: DeliveryDelay): string[] {
  const sorted = late.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(0);
  return [what, at(0.5), at(0.95), at(1), String(waiting), growth.toFixed(0)];
}

class IsolationSetup implements AsyncDisposable {
  private constructor(
    private readonly database: Database,
    private readonly dataDir: string,
    private readonly receiver: Child,
    private readonly ports: readonly number[],
    private readonly model: { readonly uuid: string; readonly connection: string },
  ) {}

  static async start(dataDir: string): Promise<IsolationSetup> {
    const database = await Database.start(dataDir);
    const receiver = Child.start(join(__dirname, 'receiver.process.js'), {});
    const { ports } = await receiver.nextMessage<{ ports: number[] }>();
    await using service = await Service.start(dataDir, { DATABASE_URL: database.url, ...WITH_BENCH_CONNECTOR });
    const customer = await BenchClient.create(service);
    const connection = await customer.connect(1, DOCUMENT_BYTES);
    await until('the fetch succeeds', () => finishedFetch(database.client, connection));
    await database.client.query('update connection set next_fetch_at = null');
    const { rows } = await database.client.query<{ uuid: string }>('select uuid from transaction');
    return new IsolationSetup(database, dataDir, receiver, ports, { uuid: rows[0]!.uuid, connection });
  }

  async measure(disturbance: Disturbance | null): Promise<DeliveryDelay> {
    const [own, other] = this.ports;
    const { clients = 0, path = '/hanging', sameOrigin = false } = disturbance ?? {};
    const url = `http://127.0.0.1:${sameOrigin ? own : other}${path}`;
    const urls = [`http://127.0.0.1:${own}/healthy`, ...Array<string>(clients && scaled(clients)).fill(url)];
    const [healthy, ...inTheWay] = await createClients(this.dataDir, this.database.url, this.model.connection, urls);
    if (disturbance?.prompt) await this.haveAnsweredPromptly(inTheWay);
    const env = { DATABASE_URL: this.database.url, ROLE: 'worker', LOG_LEVEL: 'error', ...WITH_BENCH_CONNECTOR };
    await using worker = await Service.start(this.dataDir, env);
    await this.due([healthy!]);
    await pause(SETTLE_MS);
    await this.receiver.ask('arrivals');
    worker.usage.resetPeak();
    const before = worker.usage.peak();
    await this.due(Array.from({ length: WAITING }, () => inTheWay).flat());
    const due = new Map<string, number>();
    for (const end = performance.now() + scaled(SECONDS) * 1_000; performance.now() < end; await pause(EVERY_MS)) {
      for (const [uuid, at] of await this.due([healthy!])) due.set(uuid, at);
    }
    const growth = () => worker.usage.peak() - before;
    const { late, waiting } = await this.countLate(due);
    const measured = { late, growth: growth(), waiting };
    await this.database.client.query('delete from transaction where uuid <> $1', [this.model.uuid]);
    await this.database.client.query(`update environment set strategy = 'POLLING'`);
    return measured;
  }

  private async haveAnsweredPromptly(environments: readonly string[]): Promise<void> {
    await this.database.client.query(
      `insert into endpoint (environment_uuid, consecutive_failures, prompt) select uuid, 0, true from unnest($1::uuid[]) uuid`,
      [environments],
    );
  }

  /** Makes one document of each of these environments due now. Returns the due times. */
  private async due(environments: readonly string[]): Promise<[string, number][]> {
    const uuids = environments.map(() => randomUUID());
    const now = Date.now();
    await this.database.client.query(
      `insert into transaction select made.* from transaction t, unnest($2::uuid[], $3::uuid[]) fresh (uuid, environment)
         join connection c on c.environment_uuid = fresh.environment,
         jsonb_populate_record(t, jsonb_build_object('uuid', fresh.uuid, 'dedupe_key', fresh.uuid, 'position', null,
           'environment_uuid', fresh.environment, 'connection_uuid', c.uuid, 'status', 'PENDING', 'due_at', $4::timestamptz)) made
       where t.uuid = $1`,
      [this.model.uuid, uuids, environments, new Date(now)],
    );
    return uuids.map((uuid) => [uuid, now]);
  }

  private async countLate(due: ReadonlyMap<string, number>): Promise<Pick<DeliveryDelay, 'late' | 'waiting'>> {
    const arrived = new Map<string, number>();
    let waiting = 0;
    for (const end = Date.now() + PATIENCE_MS; arrived.size < due.size && Date.now() < end; await pause(200)) {
      const answer = await this.receiver.ask<{ arrivals: [string, number][]; waiting: number }>('arrivals');
      for (const [uuid, at] of answer.arrivals) if (due.has(uuid)) arrived.set(uuid, at);
      ({ waiting } = answer);
    }
    return { late: [...due].map(([uuid, at]) => (arrived.get(uuid) ?? Date.now()) - at), waiting };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.receiver[Symbol.asyncDispose]();
    await this.database[Symbol.asyncDispose]();
  }
}
