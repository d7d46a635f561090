import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { table } from '../harness/report';
import { Service } from '../harness/processes/service';
import type { LoadRequest } from './load';
import { type Case, costOfLimits, measure, type MeasuredRoute, REQUESTS, ROUNDS } from './measure';
import { type HttpApiSetup, setUpHttpApi } from './http-api-setup';

/** decisions 2: the number of accepted fetches per connection. */
const ACCEPTED = 5;

/**
 * Requests per second of the API's most frequent operations, each against a bare Nest route that runs the same SQL through `pg`
 * and returns the same body. Guards, throttling, languages, request ids and security headers are on.
 */
export async function httpApi(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  const setup = await sceneIn(dataDir);
  await using service = await Service.start(dataDir, {
    ROLE: 'api',
    NODE_OPTIONS: ['record-queries', 'disable-rate-limits']
      .map((name) => `--require ${join(__dirname, name)}.js`)
      .join(' '),
    ...SETTINGS,
  });
  const results: MeasuredRoute[] = [];
  const all = await cases(service, setup);
  for (const one of all) results.push(await measure(service, one));
  return report(results, await costOfLimits(service, all[0]!));
}

/** The limits are on, but so high that the benchmark does not reach them. Tokens are bound to the public address. */
const SETTINGS = {
  PUBLIC_URL: 'http://localhost:3000',
  RATE_LIMIT_PER_KEY: '100000000',
  RATE_LIMIT_PER_TOKEN: '100000000',
};

async function sceneIn(dataDir: string): Promise<HttpApiSetup> {
  await using service = await Service.start(dataDir, SETTINGS);
  return await setUpHttpApi(service);
}

async function cases(
  { base, database }: Service,
  { key, token, connections, bystander }: HttpApiSetup,
): Promise<Case[]> {
  const get = (path: string, headers: Record<string, string>) => (): LoadRequest => ({
    url: base + path,
    method: 'GET',
    headers,
    expected: 200,
  });
  const byKey = { 'x-api-key': key };
  const fetchNow = (connection: string, expected: number): LoadRequest => ({
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

/** Creates active connections like an existing one, of another identity. They are never fetched, as no worker runs. */
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

function report(results: readonly MeasuredRoute[], limits: { micros: number; part: number }): string {
  const rows = results.map(({ name, statements, aSecond, baseline, preparedBaseline }) => [
    name,
    String(statements),
    aSecond.toFixed(0),
    baseline.aSecond.toFixed(0),
    ...[baseline.wall, baseline.cpu, preparedBaseline.wall, preparedBaseline.cpu].map((ratio) => ratio.toFixed(2)),
  ]);
  const headings = [
    'operation',
    'statements',
    'requests/s',
    'baseline/s',
    '× baseline',
    'by CPU',
    '× prepared baseline',
    'by CPU',
  ];
  return [
    table(headings, rows),
    '',
    `The general rate limits add ${limits.micros.toFixed(0)} µs of processor time to GET connection, ${(100 * limits.part).toFixed(0)} % of what it costs.`,
    '',
    `50 requests at a time; medians of ${ROUNDS} rounds in which the service and its baselines alternate, on the same database`,
    '(the limits: of twice as many rounds with and without them). The baseline is a bare Nest route that runs the same',
    'statements through pg and answers the same body; the goal for reads is 0.8 of its rate. The service keeps the',
    'statements of its hot reads prepared, which the baseline does not: the prepared baseline does so too, and shows what guards,',
    'limits, languages, request ids, security headers, logging and building the response cost.',
    '“By CPU” counts the processor time of the Node process only, not the database’s. At this log level',
    '(`warn`) only failures are logged.',
  ].join('\n');
}
