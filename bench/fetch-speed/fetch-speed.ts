import { join } from 'node:path';
import { BenchClient, finishedFetch, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { DelayProxy } from '../harness/processes/delay-proxy';
import { checkDue, clearDocuments } from '../harness/data/due-documents';
import { Service } from '../harness/processes/service';
import type { ToolRun } from '../harness/processes/tool';
import { until } from '../harness/until';
import { type Trial, reportSpeed, type SpeedRound } from './report';
import { countFiles, emptyFolder, type ComparedTool, type BenchSource } from './source';

/** Set `BENCH_DOCUMENTS` and `BENCH_ROUNDS` for a trial run with fewer. */
const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 1_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const BYTES = 150_000;
/** The delay in each direction. */
const DELAY_MS = 10;
/** Warm-up rounds, after which everything is compiled and cached. */
const WARM_UP = 1;

interface FetchSpeedSetup {
  readonly database: Database;
  readonly service: Service;
  readonly customer: BenchClient;
  /** The download folder of compared tools. */
  readonly folder: string;
}

/** Compares a connector's fetch speed with other tools on a real server, on loopback and with a delay. */
export async function fetchSpeed(folder: string, open: () => Promise<BenchSource>): Promise<string> {
  await using source = await open();
  await source.fill(DOCUMENTS, BYTES);
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  await using service = await Service.start(dataDir, { DATABASE_URL: database.url, ...WITH_BENCH_CONNECTOR });
  await using proxy = await DelayProxy.start(source.port, DELAY_MS);
  const setup = { database, service, customer: await BenchClient.create(service), folder: join(folder, 'fetched') };
  const rounds: SpeedRound[] = [];
  for (let number = -WARM_UP; number < ROUNDS; number++) {
    for (const place of ['near', 'far'] as const) {
      const trials = await round(setup, source, place === 'near' ? source.port : proxy.port, number);
      if (number >= 0) rounds.push({ place, trials });
      process.stdout.write(`Round ${number + 1} of ${ROUNDS}, ${place}: ${JSON.stringify(trials)}\n`);
    }
  }
  return reportSpeed(source, rounds, { documents: DOCUMENTS, bytes: BYTES, delayMs: DELAY_MS, rounds: ROUNDS });
}

/** Runs each tool once, in an order that rotates between rounds. */
async function round(setup: FetchSpeedSetup, source: BenchSource, port: number, number: number): Promise<Trial[]> {
  const contenders: (() => Promise<Trial>)[] = [
    () => runService(setup, 'service', source.integration, source.fields(port)),
    () => runService(setup, 'memory', 'bench', { documents: DOCUMENTS, bytes: BYTES }),
    ...source.comparedTools.map((tool) => () => runComparedTool(setup, tool, port)),
  ];
  const trials: Trial[] = [];
  const first = (number + WARM_UP) % contenders.length;
  for (const contend of [...contenders.slice(first), ...contenders.slice(0, first)]) trials.push(await contend());
  return trials;
}

async function runService(
  setup: FetchSpeedSetup,
  name: string,
  integration: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Trial> {
  const { database, customer } = setup;
  await clearDocuments(database.client);
  let connection = '';
  const first = await measured(setup, async () => {
    connection = await customer.connectTo(integration, fields);
    return until('the fetch succeeds', () => finishedFetch(database.client, connection));
  });
  await checkDue(database.client, connection, DOCUMENTS, BYTES);
  const again = await measured(setup, async () => {
    await database.client.query('update connection set next_fetch_at = now() where uuid = $1', [connection]);
    return until('the second fetch succeeds', () => finishedFetch(database.client, connection, 2));
  });
  await checkDue(database.client, connection, DOCUMENTS, BYTES);
  // Must not affect later rounds.
  await database.client.query('update connection set next_fetch_at = null where uuid = $1', [connection]);
  return { name, first, again };
}

async function measured({ database, service }: FetchSpeedSetup, work: () => Promise<number>) {
  const [cpu, server] = [service.usage.cpu(), database.usage.cpuOfFamily()];
  const ms = await work();
  return { ms, cpu: service.usage.cpu() - cpu, database: database.usage.cpuOfFamily() - server };
}

async function runComparedTool({ folder }: FetchSpeedSetup, tool: ComparedTool, port: number): Promise<Trial> {
  await emptyFolder(folder);
  const first = await tool.fetch(port, folder);
  if (!tool.knowsWhatItHas) return { name: tool.name, first };
  const fetched = await countFiles(folder);
  if (fetched < DOCUMENTS) throw new Error(`${tool.name} has fetched ${fetched} documents instead of ${DOCUMENTS}.`);
  const again: ToolRun = await tool.fetch(port, folder);
  return { name: tool.name, first, again };
}
