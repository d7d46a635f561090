import { join } from 'node:path';
import { Child } from '../harness/processes/child';
import { BenchClient, finishedFetch, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { checkDue, clearDocuments } from '../harness/data/due-documents';
import { median, table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';
import type { Usage } from '../harness/processes/usage';
import type { Task } from './baseline.process';

const DOCUMENTS = 1_000;
const BYTES = 150_000;
const ROUNDS = 7;
/** Warm-up rounds, after which both programs are compiled and both pools are open. */
const WARM_UP = 1;

/** The cost of one program until all documents are encrypted, recorded and due. */
interface EngineMeasurement {
  readonly ms: number;
  /** CPU milliseconds of the program, and of the database server in the same period. */
  readonly cpu: number;
  readonly database: number;
}

interface EngineRound {
  readonly service: EngineMeasurement;
  readonly baseline: EngineMeasurement;
}

/** Measures the overhead of the fetch engine over the required bytes and rows. */
export async function engine(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const env = { DATABASE_URL: database.url };
  await using service = await Service.start(dataDir, { ...env, ...WITH_BENCH_CONNECTOR });
  const customer = await BenchClient.create(service);
  await using baseline = Child.start(join(__dirname, 'baseline.process.js'), env);
  await baseline.nextMessage();
  const rounds: EngineRound[] = [];
  for (let number = -WARM_UP; number < ROUNDS; number++) {
    const order = ['service', 'baseline'] as const;
    const round = {} as Record<(typeof order)[number], EngineMeasurement>;
    for (const who of number % 2 ? order : order.toReversed()) {
      round[who] = await (who === 'service'
        ? runService(database, service, customer)
        : runBaseline(database, baseline, customer));
    }
    if (number >= 0) rounds.push(round);
    process.stdout.write(`Round ${number + 1} of ${ROUNDS}: ${JSON.stringify(round)}\n`);
  }
  return report(rounds);
}

async function runService(database: Database, service: Service, customer: BenchClient): Promise<EngineMeasurement> {
  await clearDocuments(database.client);
  let connection = '';
  const found = await measured(database, service.usage, async () => {
    connection = await customer.connect(DOCUMENTS, BYTES);
    return until('the fetch succeeds', () => finishedFetch(database.client, connection));
  });
  await checkDue(database.client, connection, DOCUMENTS, BYTES);
  return found;
}

async function runBaseline(database: Database, baseline: Child, customer: BenchClient): Promise<EngineMeasurement> {
  await clearDocuments(database.client);
  // A connection whose source is empty: the baseline's rows need one.
  const connection = await customer.connect(0, BYTES);
  await until('the empty fetch ends', () => finishedFetch(database.client, connection));
  const { environment, identity } = customer;
  const task: Task = { environment, identity, connection, owner: connection, documents: DOCUMENTS, bytes: BYTES };
  const found = await measured(database, baseline.usage, async () => (await baseline.ask<{ ms: number }>(task)).ms);
  await checkDue(database.client, connection, DOCUMENTS, BYTES);
  return found;
}

async function measured(database: Database, usage: Usage, work: () => Promise<number>): Promise<EngineMeasurement> {
  const [cpu, server] = [usage.cpu(), database.usage.cpuOfFamily()];
  const ms = await work();
  return { ms, cpu: usage.cpu() - cpu, database: database.usage.cpuOfFamily() - server };
}

function report(rounds: readonly EngineRound[]): string {
  const of = (who: keyof EngineRound, value: (one: EngineMeasurement) => number) =>
    median(rounds.map((round) => value(round[who])));
  const ratio = (value: (one: EngineMeasurement) => number) =>
    median(rounds.map((round) => value(round.service) / value(round.baseline))).toFixed(2);
  const row = (name: string, value: (one: EngineMeasurement) => number) => [
    name,
    of('service', value).toFixed(0),
    of('baseline', value).toFixed(0),
    ratio(value),
  ];
  return [
    table(
      ['milliseconds', 'service', 'baseline', '× baseline'],
      [
        row('wall time', ({ ms }) => ms),
        row('processor time, program and database', ({ cpu, database }) => cpu + database),
        row('… of the program', ({ cpu }) => cpu),
        row('… of the database', ({ database }) => database),
      ],
    ),
    NOTES,
  ].join('\n\n');
}

const NOTES = [
  `${DOCUMENTS.toLocaleString('en')} documents of ${BYTES / 1000} KB, in one fetch of one connection, from a connector that makes them in memory, until they are`,
  `encrypted, recorded and due for push (goal: 1.3 × the baseline’s wall time). Medians of ${ROUNDS} rounds in which the two alternate and`,
  'change places, on the same database, in the same emptied tables; the ratio is the median of the rounds’ ratios.',
  '',
  'The service is the compiled one as a process of its own (`ROLE=all`), with a bench connector put into its catalog when it',
  'is loaded; four documents at once, as with the sandbox. Its wall time is that of the fetch (`finished_at − started_at`); its',
  'processor time also holds the request that makes the connection, and the timers. The baseline is a bare Node process with',
  '`pg` and one connection: sha256 and AES-256-GCM, as content must be encrypted in the database, and the same rows in the same tables,',
  'with prepared statements, 20 documents in one transaction. It looks for no duplicates, reads no types, keeps no counters and',
  'no cursor, and loses the bytes with the rows when it dies in between.',
].join('\n');
