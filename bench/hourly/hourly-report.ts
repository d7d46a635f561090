import { table } from '../harness/report';
import type { Observation } from './observe';

/** MiB with indexes. */
export interface Sizes {
  readonly connections: number;
  readonly fetches: number;
  readonly events: number;
}

const HOUR_SECONDS = 3_600;
const phases = (places: readonly number[]) => [
  'an hour’s rate',
  'all due at once',
  ...places.map((each) => `all due at once, with the history, ${each} at a time`),
];
const KIB = 1024;

const number = (value: number) => Math.round(value).toLocaleString('en');

/** What was measured. */
interface Subject {
  readonly connections: number;
  readonly environments: number;
  readonly hours: number;
  /** Fetches that were added as the history of these hours. */
  readonly history: number;
  /** Fetches at a time in the phases with the history. */
  readonly places: readonly number[];
}

export function report(
  { connections, environments, hours, history, places }: Subject,
  observations: readonly Observation[],
  [before, after]: readonly Sizes[],
): string {
  const rows = observations.map((one, at) => [
    phases(places)[at]!,
    number(one.fetches / one.seconds),
    one.workerCpu.toFixed(2),
    one.databaseCpu.toFixed(2),
    (((one.workerCpu + one.databaseCpu) * one.fetches) / one.seconds / 10).toFixed(0) + ' %',
    number(one.log),
    number(one.memory),
    number(one.waiting),
    number(one.oldest),
  ]);
  const [steady] = observations;
  const bounds = [...steady!.within.keys()].filter((at) => at <= HOUR_SECONDS);
  const bytes = (mib: number, of: number) => number((mib * KIB * KIB) / of);
  const grown = { fetches: after!.fetches - before!.fetches, events: after!.events - before!.events };
  const written = history + observations[0]!.fetches + observations[1]!.fetches;
  return [
    `${number(connections)} connections in ${environments} environments, fetched every hour: ${number(connections / HOUR_SECONDS)} a second.`,
    table(
      [
        ...['phase', 'fetches/s', 'worker, CPU ms each', 'database, CPU ms each', 'of one core'],
        ...['log, bytes each', 'worker’s peak, MiB', 'still due', 'oldest, s'],
      ],
      rows,
    ),
    `At an hour’s rate, ended after they had become due:`,
    table(
      ['within, s', 'of the fetches'],
      bounds.map((at) => [String(at), `${(steady!.within.get(at)! * 100).toFixed(1)} %`]),
    ),
    table(
      ['table', 'rows', 'MiB', 'bytes each'],
      [
        [
          'connections, their data keys and search terms',
          number(connections),
          number(before!.connections),
          bytes(before!.connections, connections),
        ],
        [
          'connections, after the measurements',
          number(connections),
          number(after!.connections),
          bytes(after!.connections, connections),
        ],
        ['fetches', number(written), number(grown.fetches), bytes(grown.fetches, written)],
        ['their events', number(written), number(grown.events), bytes(grown.events, written)],
      ],
    ),
    `One worker process (\`ROLE=worker\`, ten fetches at a time unless the phase says otherwise), the database server and the benchmark share the machine.
The connector lists nothing (see “Fetches per second”). The first phase lasts four minutes, the others two. Before a phase in which all are due, one
statement sets the date of every connection, which leaves as many dead rows as there are connections. The history of ${hours} hours is added by
SQL, ${number(history)} fetches and as many events, in partitions of the retention class \`STANDARD\`.`,
  ].join('\n\n');
}
