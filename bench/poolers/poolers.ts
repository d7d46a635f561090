import { join } from 'node:path';
import { Pool } from 'undici';
import { PgBouncer } from '../../test/harness/app/pgbouncer';
import { Database } from '../harness/data/database';
import { Service } from '../harness/processes/service';
import { Usage } from '../harness/processes/usage';
import { median, table } from '../harness/report';
import { type HttpApiSetup, setUpHttpApi } from '../http-api/http-api-setup';

/** The number of concurrent requests. */
const CONCURRENCY = 50;
const ROUNDS = 5;
const REQUESTS = 1000;
const WARM_UP = 1000;

const LIMITS = {
  PUBLIC_URL: 'http://localhost:3000',
  RATE_LIMIT_PER_KEY: '100000000',
  RATE_LIMIT_PER_TOKEN: '100000000',
};

/** A service that reaches the database in its own way. */
interface Way {
  readonly name: string;
  readonly service: Service;
  /** The pooler in front of the database. */
  readonly pooler: Usage | null;
}

/** The cost of reads without named statements, and through PgBouncer, relative to a direct connection. */
export async function poolers(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await Database.start(dataDir));
  const start = async (env: Readonly<Record<string, string>>): Promise<Service> =>
    stack.use(await Service.start(dataDir, { ROLE: 'api', ...LIMITS, ...env }));
  const through = async (mode: 'transaction' | 'session'): Promise<Way> => {
    const pgBouncer = await PgBouncer.start(database.url, mode, {});
    stack.defer(() => pgBouncer.stop());
    const service = await start({ DATABASE_URL: pgBouncer.through(database.url), DATABASE_POOLER: mode });
    return { name: `PgBouncer, ${mode} mode`, service, pooler: new Usage(pgBouncer.pid) };
  };
  const { key, connections } = await setUp(dataDir, database);
  const ways: Way[] = [
    { name: 'direct', service: await start({ DATABASE_URL: database.url }), pooler: null },
    {
      name: 'direct, statements without names',
      service: await start({ DATABASE_URL: database.url, DATABASE_POOLER: 'transaction' }),
      pooler: null,
    },
    await through('session'),
    await through('transaction'),
  ];
  const paths = {
    'GET connection': `/v1/connections/${connections[0]}`,
    'GET transactions (100 rows)': '/v1/transactions?limit=100',
  };
  const rows: string[][] = [];
  for (const [operation, path] of Object.entries(paths)) {
    rows.push(...(await measure(ways, database.usage, operation, path, key)));
  }
  return report(rows);
}

async function setUp(dataDir: string, database: Database): Promise<HttpApiSetup> {
  await using service = await Service.start(dataDir, { ...LIMITS, DATABASE_URL: database.url });
  return await setUpHttpApi(service);
}

/** CPU microseconds per request. */
interface Cost {
  readonly service: number;
  readonly database: number;
  readonly pooler: number;
}

async function measure(
  ways: readonly Way[],
  database: Usage,
  operation: string,
  path: string,
  key: string,
): Promise<string[][]> {
  const once = async ({ service, pooler }: Way, count: number): Promise<Cost> => {
    const used = () => [service.usage.cpu(), database.cpuOfFamily(), pooler?.cpuOfFamily() ?? 0];
    const before = used();
    await load(service.base, { path, headers: { 'x-api-key': key } }, count);
    const [own, server, between] = used().map((after, at) => ((after - before[at]!) * 1000) / count);
    return { service: own!, database: server!, pooler: between! };
  };
  for (const way of ways) await once(way, WARM_UP);
  const costs = ways.map((): Cost[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, way] of ways.entries()) costs[at]!.push(await once(way, REQUESTS));
  }
  const all = ({ service, database: server, pooler }: Cost) => service + server + pooler;
  return ways.map(({ name }, at) => {
    const middle = (of: (cost: Cost) => number) => median(costs[at]!.map(of));
    // Rounds are compared with the direct one beside them, because the machine does other things.
    const relative = (of: (cost: Cost) => number) =>
      median(costs[at]!.map((cost, round) => of(cost) / of(costs[0]![round]!))).toFixed(2);
    return [
      `${operation}: ${name}`,
      ...(['service', 'database', 'pooler'] as const).map((part) => middle((cost) => cost[part]).toFixed(0)),
      relative(all),
    ];
  });
}

/** Sends `count` GET requests, as fast as responses arrive. Rejects at the first one that fails. */
async function load(
  base: string,
  request: { readonly path: string; readonly headers: Record<string, string> },
  count: number,
): Promise<void> {
  const pool = new Pool(base, { connections: CONCURRENCY, pipelining: 1 });
  let sent = 0;
  const worker = async () => {
    while (sent++ < count) {
      const { statusCode, body } = await pool.request({ ...request, method: 'GET' });
      if (statusCode !== 200) throw new Error(`GET ${request.path}: ${statusCode} ${await body.text()}`);
      await body.dump({ limit: Infinity });
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  } finally {
    await pool.close();
  }
}

function report(rows: readonly (readonly string[])[]): string {
  const headings = ['read', 'service', 'database', 'PgBouncer', 'all × direct'];
  return [
    table(headings, rows),
    '',
    `${CONCURRENCY} requests at a time; medians of ${ROUNDS} rounds of ${REQUESTS} requests in which the services alternate, on the same database.`,
    'Microseconds of processor time per request. “Statements without names” is `DATABASE_POOLER=transaction` without a pooler between,',
    'and shows what it costs that the database parses and plans every statement again. PgBouncer has the configuration of',
    '`docs/operate/pgbouncer.ini`.',
  ].join('\n');
}
