import { join } from 'node:path';
import { type Phase, phaseOf } from '../document-size/phase';
import { Child } from '../harness/processes/child';
import { Database } from '../harness/data/database';
import { median, table } from '../harness/report';
import type { Task } from './subject.process';

const CASES: readonly Task[] = [
  { documents: 1_000, bytes: 150_000, concurrency: 1 },
  { documents: 2_000, bytes: 150_000, concurrency: 8 },
  { documents: 2, bytes: 1_000_000, concurrency: 1 },
  { documents: 2, bytes: 100_000_000, concurrency: 1 },
];
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];

type Subject = 'service' | 'baseline';
type Step = 'put' | 'read';
type BucketResult = Record<`${Subject} ${Step}`, Phase[]>;

/** Compares the content store in a bucket with plain object storage. */
export async function bucket(folder: string): Promise<string> {
  await using database = await Database.start(join(folder, 'service'));
  const results = CASES.map((): BucketResult => ({
    'service put': [],
    'service read': [],
    'baseline put': [],
    'baseline read': [],
  }));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [at, task] of CASES.entries()) {
      for (const subject of ['service', 'baseline'] as const) {
        await using server = Child.start(join(__dirname, 'object-server.process.js'), {});
        const env = { DATABASE_URL: database.url, PORT: String(await server.nextMessage<number>()), SUBJECT: subject };
        await using child = Child.start(join(__dirname, 'subject.process.js'), env, [], OPTIONS);
        await child.nextMessage();
        results[at]![`${subject} put`].push(await phaseOf(child.usage, () => child.ask<number>(task)));
        results[at]![`${subject} read`].push(await phaseOf(child.usage, () => child.ask<number>('read')));
      }
      process.stdout.write(`Round ${round} of ${ROUNDS}: ${rowsOf(task, results[at]!).join(' | ')}\n`);
    }
  }
  const headings = [
    'documents',
    'of',
    'at once',
    'step',
    'MB/s',
    'baseline',
    '× baseline',
    'CPU ms/MB',
    'baseline',
    'growth MiB',
  ];
  return [
    table(
      headings,
      CASES.flatMap((task, at) => rowsOf(task, results[at]!)),
    ),
    NOTES,
  ].join('\n\n');
}

function rowsOf({ documents, bytes, concurrency }: Task, found: BucketResult): string[][] {
  const megabytes = (documents * bytes) / 1e6;
  return (['put', 'read'] as const).map((step) => {
    const of = (subject: Subject, value: (phase: Phase) => number) => median(found[`${subject} ${step}`].map(value));
    const rate = (subject: Subject) => (megabytes * 1000) / of(subject, ({ ms }) => ms);
    const cpu = (subject: Subject) => of(subject, (phase) => phase.cpu) / megabytes;
    return [
      documents.toLocaleString('en'),
      bytes < 1e6 ? `${bytes / 1e3} KB` : `${bytes / 1e6} MB`,
      String(concurrency),
      step,
      rate('service').toFixed(0),
      rate('baseline').toFixed(0),
      (rate('service') / rate('baseline')).toFixed(2),
      cpu('service').toFixed(1),
      cpu('baseline').toFixed(1),
      of('service', ({ idle, peak }) => peak - idle).toFixed(0),
    ];
  });
}

const NOTES = [
  `Medians of ${ROUNDS} rounds, each in a new process. The content store puts documents into a bucket (\`STORAGE_URL\`) and reads them:`,
  'hashed, encrypted and signed, with a row in PostgreSQL. The baseline is bare undici with the same requests of the same lengths, as many',
  'at a time, of bytes that are in memory. The bucket is a server in memory on the same machine that checks no signature: a real one is',
  'farther away, and the time until it answers counts more than anything here. Growth is that of resident memory by the kernel’s',
  'high-water mark, over what the process has at rest.',
].join('\n');
