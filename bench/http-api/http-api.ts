import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { type Case, casesFor } from './cases';
import { costByLayer, type LayerCosts } from './cost-by-layer';
import { type HttpApiSetup, setUpHttpApi } from './http-api-setup';
import { BaselineServer, loadService, measure, type MeasuredRoute, ROUNDS } from './measure';
import { CONNECTIONS, SECONDS, Wrk } from './wrk';

/**
 * Requests per second of the API's most frequent operations, each against a bare Nest route that runs the same prepared
 * statements and returns the same body, and the cost of each layer. Guards, limits, languages, request ids, security headers,
 * metrics and the log of requests are on. `BENCH_EARLIER` names the `dist` folder of another build to compare with.
 */
export async function httpApi(folder: string): Promise<string> {
  const wrk = Wrk.find(folder);
  const dataDir = join(folder, 'service');
  const setup = await setUpIn(dataDir);
  const scripts = ['record-queries', 'profile-on-command'].map((name) => `--require ${join(__dirname, name)}.js`);
  const settings = { ...SETTINGS, ROLE: 'api', LOG_LEVEL: 'info', NODE_OPTIONS: scripts.join(' ') };
  const log = openSync(join(folder, 'log'), 'a');
  try {
    await using service = await Service.start(dataDir, settings, { log });
    await using earlier = await earlierBuild(service, dataDir, settings, log);
    const cases = await casesFor(service, setup);
    const results: MeasuredRoute[] = [];
    for (const tested of cases) results.push(await measure(wrk, service, earlier, tested));
    return report(
      results,
      await costs(
        wrk,
        service,
        earlier,
        cases.filter(({ name }) => PROFILED.includes(name)),
      ),
    );
  } finally {
    closeSync(log);
  }
}

/** These operations are also profiled. */
const PROFILED = ['GET /health/live', 'GET connection', 'POST fetch-now, accepted'];

/** The limits are on, but so high that the benchmark does not reach them. Tokens are bound to the public address. */
const SETTINGS = {
  PUBLIC_URL: 'http://localhost:3000',
  RATE_LIMIT_PER_KEY: '100000000',
  RATE_LIMIT_PER_TOKEN: '100000000',
  METRICS_TOKEN: 'bench-metrics-token-of-the-benchmark',
};

async function setUpIn(dataDir: string): Promise<HttpApiSetup> {
  await using service = await Service.start(dataDir, SETTINGS);
  return await setUpHttpApi(service);
}

async function earlierBuild(
  { databaseUrl }: Service,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  log: number,
): Promise<Service | null> {
  const build = process.env.BENCH_EARLIER;
  return build ? Service.start(dataDir, { ...settings, DATABASE_URL: databaseUrl }, { log, build }) : null;
}

/** The costs of the layers by operation: of the bare route, of the earlier build and of the service. */
async function costs(wrk: Wrk, service: Service, earlier: Service | null, cases: readonly Case[]) {
  const columns: { heading: string; costs: LayerCosts }[] = [];
  for (const tested of cases) {
    const { name } = tested;
    const of = ({ child, usage, base }: Service) => costByLayer(child, () => loadService(wrk, { usage, base }, tested));
    await using bare = await BaselineServer.start(service, tested);
    columns.push({ heading: `${name}, bare`, costs: await costByLayer(bare.child, () => bare.load(wrk, tested)) });
    if (earlier) columns.push({ heading: 'before', costs: await of(earlier) });
    columns.push({ heading: 'service', costs: await of(service) });
  }
  return columns;
}

function report(results: readonly MeasuredRoute[], columns: Awaited<ReturnType<typeof costs>>): string {
  const isCompared = results.some(({ earlier }) => earlier);
  const rows = results.map(({ name, statements, service, bare, ratio, earlier }) => [
    name,
    String(statements),
    ...(isCompared ? [earlier!.aSecond.toFixed(0)] : []),
    service.aSecond.toFixed(0),
    bare.aSecond.toFixed(0),
    ...(isCompared ? [(earlier!.aSecond / bare.aSecond).toFixed(2)] : []),
    ratio.toFixed(2),
    ...(isCompared ? [earlier!.cpu.toFixed(0)] : []),
    service.cpu.toFixed(0),
    bare.cpu.toFixed(0),
  ]);
  const headings = [
    'operation',
    'statements',
    ...(isCompared ? ['requests/s before'] : []),
    'requests/s',
    'bare Nest',
    ...(isCompared ? ['× bare before'] : []),
    '× bare',
    ...(isCompared ? ['µs of CPU before'] : []),
    'µs of CPU',
    'bare Nest',
  ];
  const layers = [...columns[0]!.costs.keys()].map((name) => [
    name,
    ...columns.map(({ costs }) => costs.get(name)!.toFixed(1)),
  ]);
  const sums = columns.map(({ costs }) => [...costs.values()].reduce((sum, micros) => sum + micros, 0).toFixed(1));
  return [
    table(headings, rows),
    '',
    `wrk with ${CONNECTIONS} connections, in its own process; medians of ${ROUNDS} rounds of ${SECONDS} seconds in which the service and the bare`,
    'route alternate, on the same database. The bare route is one of a Nest application without anything else, which runs the',
    'same statements, prepared, and answers the same body. In the service everything is on: guards, limits, languages, request',
    'ids, security headers, metrics, and the log at level `info`, written to a file. The processor time is that of the Node',
    'process, per request. The goal is 0.6 of the bare rate for the health check, 0.7 for one connection, 0.9 for 100',
    'transactions and 0.6 for fetch-now.',
    '',
    'Microseconds of processor time per request, by layer:',
    '',
    table(['layer', ...columns.map(({ heading }) => heading)], [...layers, ['sum', ...sums]]),
    '',
    'From a profile under the same load, which slows the process by about a tenth. A sample counts for the innermost function of',
    'a layer; the time of Node’s own functions counts for the layer that calls them.',
  ].join('\n');
}
