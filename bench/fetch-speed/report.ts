import { median, table } from '../harness/report';
import type { ToolRun } from '../harness/processes/tool';
import type { BenchSource } from './source';

/** The server's distance: on this machine, or a round trip away. */
export type SetupName = 'near' | 'far';

/** The result of one tool: a fetch of everything, and then one that finds nothing new. */
export interface Trial {
  readonly name: string;
  readonly first: ToolRun & { readonly database?: number };
  readonly again?: ToolRun;
}

/** One trial of each tool, in sequence. */
export interface SpeedRound {
  readonly place: SetupName;
  readonly trials: readonly Trial[];
}

interface Extent {
  readonly documents: number;
  readonly bytes: number;
  readonly delayMs: number;
  readonly rounds: number;
}

/** Ratios are the medians of the ratios per round: a disturbance affects all tools of a round. */
export function reportSpeed(
  { comparedTools: tools, note }: BenchSource,
  rounds: readonly SpeedRound[],
  extent: Extent,
): string {
  const { documents, bytes, delayMs } = extent;
  const found = (place: SetupName, name: string, value: (trial: Trial) => number) =>
    rounds.filter((round) => round.place === place).map(({ trials }) => value(trials.find((b) => b.name === name)!));
  const ratio = (place: SetupName, name: string, value: (trial: Trial) => number) => {
    const theirs = found(place, name, value);
    return median(found(place, 'service', value).map((ours, at) => ours / theirs[at]!)).toFixed(2);
  };
  const mid = (place: SetupName, name: string, value: (trial: Trial) => number) =>
    median(found(place, name, value)).toFixed(0);
  const places: readonly (readonly [SetupName, string])[] = [
    ['near', 'loopback'],
    ['far', `${2 * delayMs} ms round trip`],
  ];
  const others = [{ name: 'memory', knowsWhatItHas: false, goal: undefined }, ...tools];
  const first = (trial: Trial) => trial.first.ms;
  const again = (trial: Trial) => trial.again!.ms;
  const speed = places.flatMap(([place, line]) =>
    others.map(({ name, goal }) => [
      line,
      NAMES[name] ?? name,
      mid(place, 'service', first),
      mid(place, name, first),
      ratio(place, name, first),
      goal ? `≤ ${goal[place]}` : '',
    ]),
  );
  const nothingNew = places.flatMap(([place, line]) =>
    others
      .filter(({ knowsWhatItHas }) => knowsWhatItHas)
      .map(({ name }) => [
        line,
        name,
        mid(place, 'service', again),
        mid(place, name, again),
        ratio(place, name, again),
        '≤ 1',
      ]),
  );
  const program = (trial: Trial) => trial.first.cpu;
  const all = (trial: Trial) => trial.first.cpu + (trial.first.database ?? 0);
  const work = places.flatMap(([place, line]) =>
    others.map(({ name }) => [
      line,
      NAMES[name] ?? name,
      mid(place, 'service', program),
      mid(place, 'service', all),
      mid(place, name, all),
      ratio(place, name, all),
    ]),
  );
  const size = `${documents.toLocaleString('en')} documents of ${bytes / 1000} KB`;
  return [
    `Milliseconds of wall time to fetch ${size}:`,
    table(['network', 'against', 'service', 'other', 'service × other', 'goal'], speed),
    'And to find nothing new:',
    table(['network', 'against', 'service', 'other', 'service × other', 'goal'], nothingNew),
    'Milliseconds of processor time to fetch them:',
    table(['network', 'against', 'service', 'with database', 'other', 'with database × other'], work),
    note,
    notes(extent),
  ].join('\n\n');
}

const NAMES: Readonly<Record<string, string>> = {
  service: 'service',
  memory: 'service, documents made in memory',
};

function notes({ rounds, delayMs }: Extent): string {
  return [
    `Medians of ${rounds} rounds in which all alternate on the same machine and in varying order; a ratio is the median of the rounds’`,
    'ratios. The service is the compiled one as a process of its own; its time is that of the fetch (`finished_at − started_at`), until',
    'every document is encrypted, recorded and due for push. “Documents made in memory” is the same service with a connector that',
    'costs nothing: the cost of encryption and storage alone. The others write plain files, and their time is that of their',
    'process, of whose processor time nothing is left out. The server shares the cores with whoever fetches, and so do a proxy and,',
    'for the service, its database: on a machine that is busy otherwise, the process that computes more waits longer.',
    `The round trip is a proxy’s, ${delayMs} ms each way, without a limit of bandwidth.`,
  ].join('\n');
}
