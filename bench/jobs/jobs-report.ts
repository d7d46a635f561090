import { median, table } from '../harness/report';
import type { LogBytes } from './write-ahead-log';

export const CONNECTIONS = 4_000;
export const BASELINE_JOBS = 20_000;
export const ROUNDS = 5;

export interface Measurement {
  readonly aSecond: number;
  /** CPU milliseconds per fetch, of all processes and of the database, with all cores busy. */
  readonly cpu: number;
}

/** What was measured with a number of workers: one measurement for each round. */
export interface JobRates {
  readonly workers: number;
  readonly service: readonly Measurement[];
  readonly baseline: readonly Measurement[];
  readonly log: { readonly service: LogBytes; readonly baseline: LogBytes };
  /** Updates of the connection per fetch that write no index. */
  readonly inPlace: number;
}

/** The text of the section. */
export function report(results: readonly JobRates[]): string {
  const [one] = results;
  const speed = results.map(({ workers, service, baseline }) => [
    String(workers),
    medianOf(service, ({ aSecond }) => aSecond).toFixed(0),
    medianOf(service, ({ cpu }) => cpu).toFixed(2),
    medianOf(service, ({ cpu }, round) => cpu / one!.service[round]!.cpu).toFixed(2),
    medianOf(baseline, ({ aSecond }) => aSecond).toFixed(0),
    medianOf(baseline, ({ cpu }) => cpu).toFixed(2),
    medianOf(baseline, ({ cpu }, round) => cpu / one!.baseline[round]!.cpu).toFixed(2),
    medianOf(service, ({ cpu }, round) => cpu / baseline[round]!.cpu).toFixed(1),
  ]);
  const log = results.map(({ workers, log: { service, baseline }, inPlace }) => [
    String(workers),
    ...[service, baseline].flatMap((each) => [each.without.toFixed(0), each.withImages.toFixed(0)]),
    inPlace.toFixed(2),
  ]);
  return [
    table(
      [
        ...['worker processes', 'fetches/s', 'CPU ms each', '× one worker'],
        ...['baseline jobs/s', 'CPU ms each', '× one worker', 'fetch : baseline job'],
      ],
      speed,
    ),
    'Bytes of write-ahead log:',
    table(
      [
        ...['worker processes', 'per fetch', 'with page images'],
        ...['per baseline job', 'with page images'],
        'HOT updates per fetch',
      ],
      log,
    ),
    NOTES,
  ].join('\n\n');
}

/** The median of a value of each round. */
const medianOf = (rounds: readonly Measurement[], value: (measurement: Measurement, round: number) => number): number =>
  median(rounds.map(value));

const NOTES = [
  `${CONNECTIONS.toLocaleString('en')} connections become due at once; the time is that from the start of the first fetch to the end of the last. Medians of ${ROUNDS} rounds. The connector`,
  'lists nothing. So a fetch is what the engine itself does for each: a worker claims it with others for its free places (lease, next',
  'date, the row of the fetch), reads connection, data key and secrets, opens the session, and settles those that end together (fetch,',
  'connection, usage, the event for webhooks), and the events are dispatched. The workers are processes of the compiled service',
  '(`ROLE=worker`), ten fetches at once each; processor time is that of the workers and of the database server, in rounds of their own',
  'in which loops of the lowest priority keep all cores busy: the same work takes more processor time while the other core is busy, so',
  'that one worker, which cannot keep both busy, would look cheaper than it is. “× one worker” compares measurements of the same round,',
  'and is their median; workers that a measurement does not need are suspended. The fetches of earlier rounds stay as the history.',
  'Page images: after a checkpoint, the first change of a page logs the whole page, here for connections that are spread',
  'over all pages. A fetch updates its connection twice: the claim, which sets the next date and therefore writes the indexes, and the',
  'end, which writes none of them if the page has room (HOT).',
  '',
  `The baseline is a bare process with \`pg\`: ${BASELINE_JOBS.toLocaleString('en')} rows, taken one at a time with \`SKIP LOCKED\` and marked as done, ten at once: two`,
  'statements and two commits a job. Everything shares the cores of one machine, the database too: more workers than cores show',
  'what contention costs, not what more machines would bring.',
].join('\n');
