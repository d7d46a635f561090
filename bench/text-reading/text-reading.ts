import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtSamples } from '../extraction/samples';
import { BenchClient, finishedFetch, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { clearDocuments } from '../harness/data/due-documents';
import { Service } from '../harness/processes/service';
import { median, table } from '../harness/report';
import { until } from '../harness/until';

const ROUNDS = 5;
const COPIES = 15;

interface Cost {
  /** Wall time of the fetch, and processor time of the service and of the database, all in milliseconds. */
  readonly ms: number;
  readonly cpu: number;
  readonly database: number;
}

/** Fetches the same invoices with and without reading their text, in alternation. */
export async function textReading(folder: string): Promise<string> {
  const content = join(folder, 'content');
  const documents = await writeInvoices(content);
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const settings = { DATABASE_URL: database.url, BENCH_CONTENT: content, ...WITH_BENCH_CONNECTOR };
  await using service = await Service.start(dataDir, settings);
  const customer = await BenchClient.create(service);

  const costs: Record<'off' | 'on', Cost[]> = { off: [], on: [] };
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const reading of ['off', 'on'] as const) {
      await service.command('environment', 'update', customer.environment, '--text-extraction', reading);
      const cost = await costOf(database, service, customer, documents);
      process.stdout.write(`Round ${round} of ${ROUNDS}, ${reading}: ${JSON.stringify(cost)}\n`);
      if (round > 0) costs[reading].push(cost);
    }
  return report(costs, documents);
}

/** Returns how many. */
async function writeInvoices(folder: string): Promise<number> {
  await mkdir(folder);
  let count = 0;
  for await (const { name, pdf } of builtSamples(COPIES)) {
    await writeFile(join(folder, `${name}.pdf`), pdf);
    count++;
  }
  return count;
}

async function costOf(database: Database, service: Service, customer: BenchClient, documents: number): Promise<Cost> {
  await clearDocuments(database.client);
  const [cpu, server] = [service.usage.cpu(), database.usage.cpuOfFamily()];
  const connection = await customer.connect(documents, 1_000);
  const ms = await until('the fetch succeeds', () => finishedFetch(database.client, connection));
  const { rows } = await database.client.query<{ count: number }>('select count(*)::integer as count from transaction');
  if (rows[0]!.count !== documents) throw new Error(`${rows[0]!.count} documents instead of ${documents}.`);
  const cost = { ms, cpu: service.usage.cpu() - cpu, database: database.usage.cpuOfFamily() - server };
  await database.client.query('update connection set next_fetch_at = null where uuid = $1', [connection]);
  return cost;
}

function report(costs: Record<'off' | 'on', readonly Cost[]>, documents: number): string {
  const per = (reading: 'off' | 'on', of: keyof Cost) => median(costs[reading].map((cost) => cost[of])) / documents;
  const row = (name: string, of: keyof Cost) => {
    const [without, reading] = [per('off', of), per('on', of)];
    return [name, without.toFixed(2), reading.toFixed(2), (reading / without).toFixed(2)];
  };
  const rows = [
    row('wall time', 'ms'),
    row('processor time of the service', 'cpu'),
    row('… of the database', 'database'),
  ];
  return [table(['ms per document', 'without', 'reading', 'reading ×'], rows), NOTES].join('\n\n');
}

const NOTES = [
  `The invoices that the benchmark “extraction” builds (one page, ${COPIES} of each layout and notation), from a connector that reads`,
  'them from a folder, fetched by one process with all roles. With `text-extraction` off a PDF without an embedded invoice is not',
  'opened. Reading runs in two threads beside the event loop, so that it costs wall time only where no core is idle.',
].join('\n');
