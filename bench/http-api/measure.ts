import { join } from 'node:path';
import { Child } from '../harness/processes/child';
import type { Service } from '../harness/processes/service';
import type { Usage } from '../harness/processes/usage';
import { median } from '../harness/report';
import type { Replay } from './baseline.process';
import type { Case } from './cases';
import type { Statement } from './record-queries';
import type { LoadRate, Wrk } from './wrk';

export const ROUNDS = 3;

export interface MeasuredRoute {
  readonly name: string;
  readonly statements: number;
  readonly service: LoadRate;
  readonly bare: LoadRate;
  /** The service's rate relative to that of the bare route; the median of the rounds. */
  readonly ratio: number;
  /** An earlier build of the service, if one is compared. */
  readonly earlier: LoadRate | null;
}

/** Measures an operation of the service, a bare Nest route with the same statements, and an earlier build, in turns. */
export async function measure(
  wrk: Wrk,
  service: Service,
  earlier: Service | null,
  tested: Case,
): Promise<MeasuredRoute> {
  await using bare = await BaselineServer.start(service, tested);
  const round = async () => ({
    bare: await bare.load(wrk, tested),
    service: await loadService(wrk, service, tested),
    earlier: earlier && (await loadService(wrk, earlier, tested)),
  });
  await round(); // compiles the code and fills the caches
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  while (rounds.length < ROUNDS) rounds.push(await round());
  const middle = (rates: readonly LoadRate[]): LoadRate => ({
    aSecond: median(rates.map(({ aSecond }) => aSecond)),
    cpu: median(rates.map(({ cpu }) => cpu)),
  });
  return {
    name: tested.name,
    statements: bare.statements,
    service: middle(rounds.map((each) => each.service)),
    bare: middle(rounds.map((each) => each.bare)),
    ratio: median(rounds.map((each) => each.service.aSecond / each.bare.aSecond)),
    earlier: earlier && middle(rounds.map((each) => each.earlier!)),
  };
}

export const loadService = (
  wrk: Wrk,
  { usage, base }: Pick<Service, 'usage' | 'base'>,
  tested: Case,
): Promise<LoadRate> => wrk.load(usage, { ...tested, base, paths: tested.paths() });

/** A bare Nest route in its own process. */
export class BaselineServer implements AsyncDisposable {
  private constructor(
    readonly child: Child,
    private readonly base: string,
    /** The number of statements of a request. */
    readonly statements: number,
  ) {}

  /** Records what the service does for the operation, and starts. */
  static async start(service: Service, tested: Case): Promise<BaselineServer> {
    const replay = await recorded(service, tested);
    const child = Child.start(join(__dirname, 'baseline.process.js'), {
      DATABASE_URL: service.databaseUrl,
      NODE_OPTIONS: `--require ${join(__dirname, 'profile-on-command.js')}`,
    });
    const base = await child.nextMessage<string>();
    await child.ask(replay);
    return new BaselineServer(child, base, replay.statements.length);
  }

  load(wrk: Wrk, tested: Case): Promise<LoadRate> {
    return wrk.load(this.usage, { ...tested, base: this.base, headers: {}, paths: ['/baseline'], refused: false });
  }

  get usage(): Usage {
    return this.child.usage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.child[Symbol.asyncDispose]();
  }
}

/** Requests until two in a row run the same statements. */
const MOST_REQUESTS = 10;

interface Recording {
  readonly path: string;
  readonly body: unknown;
  readonly statements: readonly Statement[];
}

/**
 * Records the statements of one request. Ids that differ in the next request belong to rows that it creates. What the service runs by
 * itself at the same time, such as the count of rate limits that it writes for many requests, is in no two recordings in a row.
 */
async function recorded(service: Service, { method, headers, paths, rotation }: Case): Promise<Replay> {
  const all = paths();
  const record = async (round: number): Promise<Recording> => {
    const path = all[round % all.length]!;
    await service.child.ask({ record: true });
    const body = await (await fetch(service.base + path, { method, headers })).json();
    return { path, body, statements: await service.child.ask<Statement[]>({ record: false }) };
  };
  await record(0); // fills the caches
  let before = await record(1);
  for (let round = 2; round < MOST_REQUESTS; round++) {
    const last = await record(round);
    if (last.path === before.path && textsIn(last.statements) === textsIn(before.statements)) {
      const known = uuidsIn(before.statements);
      const fresh = [...uuidsIn(last.statements)].filter((id) => !known.has(id));
      const round = rotation ? { value: last.path.split('/')[3]!, through: rotation } : null;
      return { statements: last.statements, body: last.body, fresh, round };
    }
    before = last;
  }
  throw new Error(`${method} ${all[0]} runs other statements each time.`);
}

const textsIn = (statements: readonly Statement[]): string => JSON.stringify(statements.map(({ text }) => text).sort());

const uuidsIn = (statements: readonly Statement[]): Set<string> =>
  new Set(JSON.stringify(statements).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g));
