import { join } from 'node:path';
import { BenchClient, finishedFetch, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { type Phase, phaseOf } from '../document-size/phase';
import { table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';

/** The number and size of the documents of one fetch. */
const CASES = [
  { documents: 1_000, bytes: 2_000 },
  { documents: 10_000, bytes: 2_000 },
  { documents: 50_000, bytes: 2_000 },
  { documents: 500, bytes: 150_000 },
  { documents: 5_000, bytes: 150_000 },
] as const;

interface MemoryResult {
  readonly documents: number;
  readonly bytes: number;
  readonly phase: Phase;
}

/** The memory of the fetching process, by the number of documents of one fetch. */
export async function memory(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const found: MemoryResult[] = [];
  for (const { documents, bytes } of CASES) {
    await using service = await Service.start(dataDir, { DATABASE_URL: database.url, ...WITH_BENCH_CONNECTOR });
    const customer = await BenchClient.create(service);
    const phase = await phaseOf(service.usage, async () => {
      const connection = await customer.connect(documents, bytes);
      return until('the fetch succeeds', () => finishedFetch(database.client, connection), 900_000);
    });
    const { rows } = await database.client.query<{ count: number }>(
      'select count(*)::integer as count from transaction',
    );
    if (rows[0]!.count !== documents) throw new Error(`${rows[0]!.count} documents instead of ${documents}.`);
    await database.client.query('truncate transaction, delivery_attempt, content, content_chunk cascade');
    found.push({ documents, bytes, phase });
    process.stdout.write(`${JSON.stringify(found.at(-1))}\n`);
  }
  return report(found);
}

function report(found: readonly MemoryResult[]): string {
  const rows = found.map(({ documents, bytes, phase: { idle, peak, ms } }) => {
    const first = found.find((one) => one.bytes === bytes)!;
    return [
      documents.toLocaleString('en'),
      `${bytes / 1000} KB`,
      idle.toFixed(0),
      peak.toFixed(0),
      (peak - idle).toFixed(0),
      (peak / first.phase.peak).toFixed(2),
      ((documents * 1000) / ms).toFixed(0),
    ];
  });
  const headings = ['documents', 'of', 'idle', 'peak', 'growth', '× fewest', 'documents/s'];
  return [table(headings, rows), NOTES].join('\n\n');
}

const NOTES = [
  'Resident memory of the service in MiB (`ROLE=all`, a new process for each row), by the kernel’s high-water mark, for one fetch of',
  'one connection from a connector that makes its documents in memory. The database is another process and not counted. What one',
  'large document costs is in “Cost by document size”. Growth that ends is V8’s: buffers pile up until it',
  'collects them, and its heap grows to the size that the work needs.',
].join('\n');
