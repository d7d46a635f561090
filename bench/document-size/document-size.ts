import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';
import { LargeDocument } from '../harness/data/large-document';
import { Receiver } from '../harness/processes/receiver';
import { median, table } from '../harness/report';
import { baselineFetch, baselinePush, prepareBaseline } from './baseline';
import type { Phase } from './phase';
import { prepareService, serviceFetch, servicePush } from './service';

const MEGABYTE = 1_000_000;
const SIZES = [1, 20, 100];
const RUNS = 3;
/** Measured once, to distinguish continuous from bounded growth: it takes as long as all the others. */
const BEYOND = 400;

type Subject = 'service' | 'baseline';
type Step = 'fetch' | 'push';
type Results = Record<`${Subject} ${Step}`, Phase[]>;

/** Measures fetch and push of one mail with one attachment of growing size. */
export async function documentSize(folder: string): Promise<string> {
  await using receiver = await Receiver.start();
  const floorDatabase = await startEmbeddedPostgres({ dataDir: join(folder, 'baseline') });
  try {
    await prepareBaseline(floorDatabase.url);
    const dataDir = join(folder, 'service');
    const customer = await prepareService(dataDir, receiver);
    const results = new Map<number, Results>();
    for (let run = 1; run <= RUNS; run++) {
      for (const size of run === 1 ? [...SIZES, BEYOND] : SIZES) {
        const document = new LargeDocument(size * MEGABYTE);
        const found = results.get(size) ?? {
          'service fetch': [],
          'service push': [],
          'baseline fetch': [],
          'baseline push': [],
        };
        results.set(size, found);
        const fetched = await serviceFetch(dataDir, customer, document);
        found['service fetch'].push(fetched);
        found['service push'].push(await servicePush(dataDir, customer, document, receiver, fetched.connection));
        found['baseline fetch'].push(await baselineFetch(floorDatabase.url, document));
        found['baseline push'].push(await baselinePush(floorDatabase.url, document, receiver));
        process.stdout.write(`Run ${run} of ${RUNS}, ${size} MB: ${brief(found)}\n`);
      }
    }
    return [memoryTable(results), growth(results), timeTable(results), NOTES].join('\n\n');
  } finally {
    await floorDatabase.stop();
  }
}

const valueOf = (phases: readonly Phase[], value: (phase: Phase) => number) => median(phases.map(value));
const rise = ({ idle, peak }: Phase) => peak - idle;
const peak = (phase: Phase) => phase.peak;
const wall = (phase: Phase) => phase.ms;
const cpu = (phase: Phase) => phase.cpu;

const STEPS: readonly Step[] = ['fetch', 'push'];
const NAMES: Readonly<Record<Step, string>> = { fetch: 'fetch (mailbox → store)', push: 'push (store → client)' };

function rowsOf(results: Map<number, Results>, row: (found: Results, step: Step) => string[]): string[][] {
  return STEPS.flatMap((step) =>
    [...SIZES, BEYOND].map((size) => [NAMES[step], `${size} MB`, ...row(results.get(size)!, step)]),
  );
}

function memoryTable(results: Map<number, Results>): string {
  const rows = rowsOf(results, (found, step) => {
    const [service, baseline] = [found[`service ${step}`], found[`baseline ${step}`]];
    return [
      valueOf(service, (phase) => phase.idle).toFixed(0),
      valueOf(service, peak).toFixed(0),
      valueOf(service, rise).toFixed(0),
      valueOf(baseline, peak).toFixed(0),
      valueOf(baseline, rise).toFixed(0),
      (valueOf(service, peak) / valueOf(baseline, peak)).toFixed(2),
    ];
  });
  const headings = [
    'phase',
    'document',
    'idle',
    'peak',
    'growth',
    'baseline peak',
    'baseline growth',
    'peak × baseline',
  ];
  return `Resident memory in MiB.\n\n${table(headings, rows)}`;
}

function growth(results: Map<number, Results>): string {
  const [smallest, largest] = [SIZES[0]!, SIZES.at(-1)!];
  const more = (name: `${Subject} ${Step}`, from: number, to: number) =>
    (valueOf(results.get(to)![name], peak) - valueOf(results.get(from)![name], peak)).toFixed(0);
  const rows = STEPS.map((step) =>
    [[smallest, largest] as const, [largest, BEYOND] as const].flatMap(([from, to]) => [
      more(`service ${step}`, from, to),
      more(`baseline ${step}`, from, to),
    ]),
  ).map((cells, at) => [NAMES[STEPS[at]!], ...cells]);
  const steps = [`${smallest} → ${largest} MB`, `${largest} → ${BEYOND} MB`];
  const headings = ['phase', ...steps.flatMap((step) => [step, `baseline ${step}`])];
  return `How much higher the peak is, in MiB (the target from ${smallest} to ${largest} MB is 64):\n\n${table(headings, rows)}`;
}

function timeTable(results: Map<number, Results>): string {
  const rows = rowsOf(results, (found, step) => {
    const columns = (value: (phase: Phase) => number) => {
      const [service, baseline] = [valueOf(found[`service ${step}`], value), valueOf(found[`baseline ${step}`], value)];
      return [service.toFixed(0), baseline.toFixed(0), (service / baseline).toFixed(2)];
    };
    return [...columns(wall), ...columns(cpu)];
  });
  const headings = ['wall', 'baseline wall', 'wall × baseline', 'CPU', 'baseline CPU', 'CPU × baseline'];
  return `Milliseconds: wall time, and processor time of the process.\n\n${table(['phase', 'document', ...headings], rows)}`;
}

function brief(found: Results): string {
  return Object.entries<Phase[]>(found)
    .map(
      ([name, phases]) =>
        `${name} +${rise(phases.at(-1)!).toFixed(0)} MiB ${phases.at(-1)!.ms.toFixed(0)} ms (CPU ${phases.at(-1)!.cpu.toFixed(0)})`,
    )
    .join(', ');
}

const NOTES = [
  `Medians of ${RUNS} runs (${BEYOND} MB: one run). The service is the compiled one, as a process of its own (\`ROLE=all\`, embedded`,
  'database), new for every phase. Peak is the kernel’s high-water mark (VmHWM), reset before the phase; idle is the same over',
  'three seconds without work. The document is a PDF by name and first bytes, the only attachment of one mail on the test',
  'suite’s IMAP server; the receiver checks the sha256 of the decoded document. The database and both ends are other',
  'processes and not counted. The environment’s push limit is raised by SQL, and the push is delayed by opening the',
  'endpoint’s circuit.',
  '',
  'The baseline is a bare Node process with `pg`: a socket through sha256 and AES-256-GCM into rows of 256 KiB, and from the',
  'rows as base64 to the same receiver. It speaks no mail protocol, decodes nothing and signs nothing. The service reads a',
  'document twice to push it, as the signature of the body precedes the body.',
  '',
  'What is in use at a time is a few chunks; the rest is garbage that V8 has not collected yet. It begins to only when 64 MiB',
  'of buffers have piled up, and they go on piling up while it marks, the more so on a busy machine. The baseline shows how much',
  'that is for a process that holds one chunk. A push of the service makes hardly any: what it reads, opens and encodes lies in',
  'memory that is reused or freed at once.',
].join('\n');
