import { join } from 'node:path';
import { Child } from '../harness/processes/child';
import { median } from '../harness/report';
import type { Service } from '../harness/processes/service';
import type { Replay } from './baseline.process';
import { type LoadRequest, load, type LoadRate } from './load';
import type { Statement } from './record-queries';

export const ROUNDS = 5;
export const REQUESTS = 2000;
const WARM_UP = 1000;

export interface Case {
  readonly name: string;
  readonly ask: (turn: number) => LoadRequest;
  readonly requests: number;
  /** The connections to use in rotation, when each may be requested only a few times. */
  readonly round?: { readonly value: string; readonly through: readonly string[] };
}

export interface MeasuredRoute {
  readonly name: string;
  readonly statements: number;
  readonly aSecond: number;
  /** Relative to the baseline with unprepared statements. */
  readonly baseline: Ratio & { readonly aSecond: number };
  readonly preparedBaseline: Ratio;
}

/** Ratios of wall time and CPU time. */
interface Ratio {
  readonly wall: number;
  readonly cpu: number;
}

/** Measures the cost of an operation relative to its baselines. */
export async function measure(service: Service, { name, ask, requests, round }: Case): Promise<MeasuredRoute> {
  const replay = await recorded(service, ask, round);
  await using plain = await BaselineServer.start(service, replay, ask(0).method, false);
  await using prepared = await BaselineServer.start(service, replay, ask(0).method, true);
  const turn = async (count: number) => ({
    plain: await plain.load(count),
    prepared: await prepared.load(count),
    service: await load(service.usage, count, ask),
  });
  await turn(Math.min(WARM_UP, requests));
  const rounds: Awaited<ReturnType<typeof turn>>[] = [];
  while (rounds.length < ROUNDS) rounds.push(await turn(requests));
  const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
  const against = (baseline: 'plain' | 'prepared'): Ratio => ({
    wall: middle((each) => each.service.aSecond / each[baseline].aSecond),
    cpu: middle((each) => each.service.aCpuSecond / each[baseline].aCpuSecond),
  });
  return {
    name,
    statements: replay.statements.length,
    aSecond: middle((each) => each.service.aSecond),
    baseline: { aSecond: middle((each) => each.plain.aSecond), ...against('plain') },
    preparedBaseline: against('prepared'),
  };
}

/** A bare Nest route in its own process. */
class BaselineServer implements AsyncDisposable {
  private constructor(
    private readonly child: Child,
    private readonly asked: LoadRequest,
  ) {}

  static async start(
    service: Service,
    replay: Replay,
    method: LoadRequest['method'],
    prepared: boolean,
  ): Promise<BaselineServer> {
    const child = Child.start(join(__dirname, 'baseline.process.js'), { DATABASE_URL: service.databaseUrl });
    const url = await child.heard<string>();
    await child.ask({ ...replay, prepared });
    return new BaselineServer(child, { url, method, headers: {}, expected: method === 'GET' ? 200 : 202 });
  }

  load(count: number): Promise<LoadRate> {
    return load(this.child.usage, count, () => this.asked);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.child[Symbol.asyncDispose]();
  }
}

/** The CPU microseconds that the general rate limits add to a request, and their share of it. */
export async function costOfLimits(
  service: Service,
  { ask, requests }: Case,
): Promise<{ micros: number; part: number }> {
  const turn = async (limits: boolean) => {
    await service.child.ask({ limits });
    return 1e6 / (await load(service.usage, requests, ask)).aCpuSecond;
  };
  const rounds: { micros: number; part: number }[] = [];
  while (rounds.length < 2 * ROUNDS) {
    const [without, counted] = [await turn(false), await turn(true)];
    rounds.push({ micros: counted - without, part: (counted - without) / counted });
  }
  return { micros: median(rounds.map(({ micros }) => micros)), part: median(rounds.map(({ part }) => part)) };
}

/** Records the statements of one request. Ids that differ in the next request belong to rows that it creates. */
async function recorded(service: Service, ask: (turn: number) => LoadRequest, round: Case['round']): Promise<Replay> {
  const one = async () => {
    await service.child.ask({ record: true });
    const { url, method, headers } = ask(0);
    const body = await (await fetch(url, { method, headers })).json();
    return { body, statements: await service.child.ask<Statement[]>({ record: false }) };
  };
  await one(); // fills the caches
  const before = uuidsIn((await one()).statements);
  const { body, statements } = await one();
  const fresh = [...uuidsIn(statements)].filter((id) => !before.has(id));
  return { statements, body, fresh, round: round ?? null, prepared: false };
}

const uuidsIn = (statements: readonly Statement[]): Set<string> =>
  new Set(JSON.stringify(statements).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g));
