import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { Child } from '../harness/child';
import { median, table } from '../harness/report';
import { Service } from '../harness/service';
import type { Replay } from './floor.process';
import { type Asked, load, type Rate } from './load';
import type { Statement } from './record-queries';
import { type Scene, setScene } from './scene';

const ROUNDS = 5;
const REQUESTS = 2000;
const WARM_UP = 1000;
/** contract 2: so many fetches a connection are accepted. */
const ACCEPTED = 5;

interface Case {
  readonly name: string;
  readonly ask: (turn: number) => Asked;
  readonly requests: number;
  /** The connection that goes round, where each may be asked for a few times only. */
  readonly round?: { readonly value: string; readonly through: readonly string[] };
}

interface Measured {
  readonly name: string;
  readonly statements: number;
  readonly service: Rate;
  readonly floor: Rate;
}

/**
 * Requests a second of the API's hottest operations, each against a bare Nest route that runs the same SQL through `pg`
 * and answers the same body. Guards, throttling, languages, request ids and security headers are on.
 */
export async function httpApi(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  const scene = await sceneIn(dataDir);
  await using service = await Service.start(dataDir, {
    ROLE: 'api',
    NODE_OPTIONS: `--require ${join(__dirname, 'record-queries.js')}`,
    ...SETTINGS,
  });
  const results: Measured[] = [];
  for (const one of await cases(service, scene)) results.push(await measure(service, one));
  return report(results);
}

/** The limits are on, but so high that the benchmark does not reach them. Tokens are bound to the public address. */
const SETTINGS = {
  PUBLIC_URL: 'http://localhost:3000',
  RATE_LIMIT_PER_KEY: '100000000',
  RATE_LIMIT_PER_TOKEN: '100000000',
};

async function sceneIn(dataDir: string): Promise<Scene> {
  await using service = await Service.start(dataDir, SETTINGS);
  return await setScene(service);
}

async function cases({ base, database }: Service, { key, token, connections, bystander }: Scene): Promise<Case[]> {
  const get = (path: string, headers: Record<string, string>) => (): Asked => ({
    url: base + path,
    method: 'GET',
    headers,
    expected: 200,
  });
  const byKey = { 'x-api-key': key };
  const fetchNow = (connection: string, expected: number): Asked => ({
    url: `${base}/v1/connections/${connection}/fetch-now`,
    method: 'POST',
    headers: byKey,
    expected,
  });
  const [model] = connections;
  const half = ((ROUNDS + 1) * REQUESTS) / ACCEPTED;
  const all = await copiesOf(database, model!, bystander, 2 * half);
  const [copies, floorsOwn] = [all.slice(0, half), all.slice(half)];
  let turns = 0;
  return [
    { name: 'GET connection', ask: get(`/v1/connections/${model}`, byKey), requests: REQUESTS },
    { name: 'GET connections (20 rows)', ask: get('/v1/connections', { 'x-token': token }), requests: REQUESTS },
    { name: 'GET transactions (100 rows)', ask: get('/v1/transactions?limit=100', byKey), requests: REQUESTS / 4 },
    {
      name: 'POST fetch-now, accepted',
      ask: () => fetchNow(copies[Math.floor(turns++ / ACCEPTED) % copies.length]!, 202),
      requests: REQUESTS / 4,
      round: { value: copies[0]!, through: floorsOwn },
    },
    { name: 'POST fetch-now, refused', ask: () => fetchNow(copies[0]!, 429), requests: REQUESTS / 4 },
  ];
}

/** Active connections like one that exists, of another identity. They are never fetched: no worker runs. */
async function copiesOf(
  database: Service['database'],
  model: string,
  identity: string,
  count: number,
): Promise<string[]> {
  const { rows } = await database.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = 'connection' and table_schema = 'public' and column_name not in ('uuid', 'identity_uuid')`,
  );
  const uuids = Array.from({ length: count }, () => uuid());
  const { columns } = rows[0]!;
  await database.query(
    `insert into connection (uuid, identity_uuid, ${columns})
     select copy, $3, ${columns} from connection, unnest($2::uuid[]) copy where uuid = $1`,
    [model, uuids, identity],
  );
  return uuids;
}

async function measure(service: Service, { name, ask, requests, round }: Case): Promise<Measured> {
  const replay = await recorded(service, ask, round);
  await using floor = Child.start(join(__dirname, 'floor.process.js'), { DATABASE_URL: service.databaseUrl });
  const url = await floor.heard<string>();
  await floor.ask(replay);
  const { method } = ask(0);
  const askFloor = (): Asked => ({ url, method, headers: {}, expected: method === 'GET' ? 200 : 202 });
  const rates: { service: Rate; floor: Rate }[] = [];
  await load(service.usage, Math.min(WARM_UP, requests), ask);
  await load(floor.usage, Math.min(WARM_UP, requests), askFloor);
  for (let number = 0; number < ROUNDS; number++) {
    rates.push({
      floor: await load(floor.usage, requests, askFloor),
      service: await load(service.usage, requests, ask),
    });
  }
  const middle = (of: (round: { service: Rate; floor: Rate }) => number) => median(rates.map(of));
  return {
    name,
    statements: replay.statements.length,
    service: { aSecond: middle((r) => r.service.aSecond), aCpuSecond: middle((r) => r.service.aCpuSecond) },
    floor: { aSecond: middle((r) => r.floor.aSecond), aCpuSecond: middle((r) => r.floor.aCpuSecond) },
  };
}

/** What one request makes the service do. Ids that are others in the next request are those of rows that it makes. */
async function recorded(service: Service, ask: (turn: number) => Asked, round: Case['round']): Promise<Replay> {
  const one = async () => {
    await service.child.ask({ record: true });
    const { url, method, headers } = ask(0);
    const body = await (await fetch(url, { method, headers })).json();
    return { body, statements: await service.child.ask<Statement[]>({ record: false }) };
  };
  await one(); // fills what is kept in memory
  const before = uuidsIn((await one()).statements);
  const { body, statements } = await one();
  const fresh = [...uuidsIn(statements)].filter((id) => !before.has(id));
  return { statements, body, fresh, round: round ?? null };
}

const uuidsIn = (statements: readonly Statement[]): Set<string> =>
  new Set(JSON.stringify(statements).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g));

function report(results: readonly Measured[]): string {
  const rows = results.map(({ name, statements, service, floor }) => [
    name,
    String(statements),
    service.aSecond.toFixed(0),
    floor.aSecond.toFixed(0),
    (service.aSecond / floor.aSecond).toFixed(2),
    (service.aCpuSecond / floor.aCpuSecond).toFixed(2),
  ]);
  return [
    `50 requests at a time; the median of ${ROUNDS} rounds in which service and floor take turns, on the same database.`,
    `The floor is a bare Nest route that runs the same statements through pg and answers the same body (goal for reads: 0.8).`,
    '',
    table(['operation', 'statements', 'requests/s', 'floor/s', '× floor', '× floor by CPU time'], rows),
  ].join('\n');
}
