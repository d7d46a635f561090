import { join } from 'node:path';
import { BenchClient, finishedFetch, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { type Phase, phaseOf } from '../document-size/phase';
import { table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';

/** Values of `WORKER_CONCURRENCY`. */
const AT_A_TIME = [1, 10, 25, 50] as const;
/** What each fetch finds. */
const CASES = [
  { documents: 40, bytes: 150_000 },
  { documents: 10, bytes: 1_000_000 },
] as const;

interface Result {
  readonly atATime: number;
  readonly documents: number;
  readonly bytes: number;
  readonly phase: Phase;
}

/** The memory of the fetching process, by the number of connections that it fetches at the same time. */
export async function concurrentFetches(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const results: Result[] = [];
  for (const { documents, bytes } of CASES) {
    for (const atATime of AT_A_TIME) {
      await using service = await Service.start(dataDir, {
        DATABASE_URL: database.url,
        WORKER_CONCURRENCY: String(atATime),
        ...WITH_BENCH_CONNECTOR,
      });
      const client = await BenchClient.create(service);
      const phase = await phaseOf(service.usage, async () => {
        const began = performance.now();
        // Twice as many as fit, so that all places are taken until the first half is done.
        const connections = await Promise.all(
          Array.from({ length: 2 * atATime }, () => client.connect(documents, bytes)),
        );
        for (const connection of connections) {
          await until('the fetch succeeds', () => finishedFetch(database.client, connection), 900_000);
        }
        return performance.now() - began;
      });
      await database.client.query('truncate transaction, delivery_attempt, content, content_chunk cascade');
      results.push({ atATime, documents, bytes, phase });
      process.stdout.write(`${JSON.stringify(results.at(-1))}\n`);
    }
  }
  return report(results);
}

function report(results: readonly Result[]): string {
  const rows = results.map(({ atATime, documents, bytes, phase: { idle, peak, ms, cpu } }) => {
    const first = results.find((one) => one.bytes === bytes)!;
    const megabytes = (2 * atATime * documents * bytes) / 1_000_000;
    return [
      String(atATime),
      `${documents} × ${bytes / 1_000_000} MB`,
      idle.toFixed(0),
      peak.toFixed(0),
      (peak / first.phase.peak).toFixed(2),
      ((megabytes * 1000) / ms).toFixed(0),
      (cpu / megabytes).toFixed(1),
    ];
  });
  const headings = ['at a time', 'documents of each', 'idle', 'peak', '× one', 'MB/s', 'CPU ms per MB'];
  return [table(headings, rows), NOTES].join('\n\n');
}

const NOTES = [
  'Resident memory of the service in MiB (`ROLE=all`, a new process for each row), by the kernel’s high-water mark, while it fetches',
  'twice as many connections as `WORKER_CONCURRENCY` from a connector that makes its documents in memory and waits for nothing.',
].join('\n');
