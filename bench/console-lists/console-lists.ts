import { join } from 'node:path';
import type { Client } from 'pg';
import { addConnections, addRows, type Originals } from '../../test/ui/harness/console/add-rows';
import { Service } from '../harness/processes/service';
import { median, table } from '../harness/report';
import { setUpHttpApi } from '../http-api/http-api-setup';
import { ConsoleClient } from './console-client';

const FEW = 1_000;
/** Set `CONSOLE_LISTS_ROWS=100000` for a short run. */
const MANY = Number(process.env.CONSOLE_LISTS_ROWS ?? 1_000_000);
/** Rows of each table that belong to one connection. With `CONSOLE_LISTS_OF_ONE=1000000`, all belong to one. */
const OF_ONE = Number(process.env.CONSOLE_LISTS_OF_ONE ?? 1_000);
/** Connections that one statement adds. */
const BATCH = 100_000;
const ROUNDS = 21;
const WARM_UPS = 3;
const NAME = 'Customer';

/** A request of a view, with a body when it is a POST. */
interface View {
  readonly name: string;
  readonly path: string;
  readonly body?: object;
}

/** How long the requests of the console take with a thousand and with a million rows in each table. */
export async function consoleLists(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  const { key, originals } = await setUp(dataDir);
  await using service = await Service.start(dataDir, { ROLE: 'api', RATE_LIMIT_PER_KEY: '1000000000' });
  const client = await ConsoleClient.open(service, key);
  const measured: number[][] = [];
  let rows = 0;
  let views: View[] = [];
  for (const count of [FEW, MANY]) {
    await addUpTo(service.database, originals, rows + 1, count);
    rows = count;
    views = viewsOf(originals, await newestConnection(service.database), count);
    measured.push(await timesOf(client, views));
  }
  return report(views, measured);
}

/** An environment with connections, documents and a webhook, made by the whole service; the worker then ends. */
async function setUp(dataDir: string): Promise<{ key: string; originals: Originals }> {
  await using service = await Service.start(dataDir);
  const { key, connections } = await setUpHttpApi(service);
  const webhook = await service.call<{ uuid: string }>(key, 'POST', '/v1/webhooks', {
    url: 'http://localhost:8080/hook',
    events: ['delivery.failed'],
  });
  const { rows } = await service.database.query<{ uuid: string; environment_uuid: string }>(
    'select uuid, environment_uuid from transaction where connection_uuid = $1 order by uuid limit 1',
    [connections[0]],
  );
  const { uuid: transaction, environment_uuid: environment } = rows[0]!;
  return { key, originals: { environment, connection: connections[0]!, transaction, webhook: webhook.uuid } };
}

/** Adds connections and, for some of them, a thousand rows of each other table, until there are `last` of each. */
async function addUpTo(database: Client, originals: Originals, first: number, last: number): Promise<void> {
  const query = async <Row extends object>(text: string, parameters: unknown[] = []) =>
    (await database.query<Row>(text, parameters)).rows;
  for (let from = first; from <= last; from += BATCH) {
    await addConnections({ query }, originals.connection, `${NAME} ${from}`, Math.min(BATCH, last - from + 1));
  }
  const owners = await query<{ uuid: string }>('select uuid from connection order by uuid desc limit $1', [
    Math.ceil((last - first + 1) / OF_ONE),
  ]);
  for (const [at, { uuid: connection }] of owners.entries()) {
    const from = first + at * OF_ONE;
    await addRows(query, { ...originals, connection }, from, Math.min(last, from + OF_ONE - 1));
  }
  await database.query('vacuum analyze'); // as autovacuum does a little later
}

/** It has a thousand rows of each table. */
async function newestConnection(database: Client): Promise<string> {
  const { rows } = await database.query<{ uuid: string }>('select uuid from connection order by uuid desc limit 1');
  return rows[0]!.uuid;
}

function viewsOf({ transaction, webhook }: Originals, connection: string, rows: number): View[] {
  const connections = '/v1/console/connections?limit=50';
  const documents = '/v1/console/transactions?limit=50';
  const of = `/v1/connections/${connection}`;
  // The first connection of the last batch: many are newer.
  const first = rows - (rows % BATCH || BATCH) + 1;
  return [
    { name: 'Overview', path: '/v1/console/overview' },
    { name: 'Connections', path: connections },
    { name: 'Connections: a whole name', path: `${connections}&q=${NAME}+${first}+17` },
    { name: 'Connections: the beginning of all names', path: `${connections}&q=${NAME}` },
    { name: 'Connections: a name that none has', path: `${connections}&q=Nowhere` },
    { name: 'Connections: active', path: `${connections}&status=ACTIVE` },
    { name: 'Connections: disabled, which none is', path: `${connections}&status=DISABLED` },
    { name: 'Connections: of one integration', path: `${connections}&integration_id=sandbox` },
    { name: 'Connection', path: `/v1/console/connections/${connection}` },
    { name: 'Connection: timeline', path: `${of}/timeline` },
    { name: 'Connection: fetches', path: `${of}/fetches` },
    { name: 'Connection: documents', path: `${of}/transactions` },
    { name: 'Connection: failures', path: `${of}/failures` },
    { name: 'Documents', path: documents },
    { name: 'Documents: failed', path: `${documents}&status=FAILED` },
    { name: 'Documents: of one connection', path: `${documents}&connection_uuid=${connection}` },
    { name: 'Documents: of one connection, failed', path: `${documents}&connection_uuid=${connection}&status=FAILED` },
    { name: 'Documents: of one connection, a text', path: `${documents}&connection_uuid=${connection}&q=Nowhere` },
    { name: 'Documents: a text of some', path: `${documents}&q=Rechnung+99` },
    { name: 'Documents: a text of none', path: `${documents}&q=Nowhere` },
    { name: 'Document: attempts', path: `/v1/console/transactions/${transaction}/attempts` },
    { name: 'Redelivery: how many', path: '/v1/console/redeliveries/preview', body: { status: 'FAILED' } },
    { name: 'Endpoint', path: '/v1/console/endpoint' },
    { name: 'Events', path: '/v1/console/events' },
    { name: 'Events: of one type', path: '/v1/console/events?type=source.requested' },
    { name: 'Webhook: deliveries', path: `/v1/webhooks/${webhook}/deliveries` },
    { name: 'Requested sources', path: '/v1/console/source-requests' },
    { name: 'Expected documents', path: '/v1/console/expected-documents' },
    { name: 'Usage', path: '/v1/console/usage' },
    { name: 'Audit log', path: '/v1/console/audit' },
    { name: 'Audit log: of one action', path: '/v1/console/audit?action=connection.fetch' },
    { name: 'Audit log: of an action that never was', path: '/v1/console/audit?action=key.revoke' },
  ];
}

/** The median of each view, in milliseconds. */
async function timesOf(client: ConsoleClient, views: readonly View[]): Promise<number[]> {
  const times: number[] = [];
  for (const { path, body } of views) {
    const each: number[] = [];
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      const { ms } = await client.request(path, body);
      if (round >= 0) each.push(ms);
    }
    times.push(median(each));
  }
  return times;
}

function report(views: readonly View[], [few = [], many = []]: readonly (readonly number[])[]): string {
  const number = (value: number) => value.toLocaleString('en');
  const rows = views.map(({ name }, at) => [
    name,
    few[at]!.toFixed(1),
    many[at]!.toFixed(1),
    (many[at]! / few[at]!).toFixed(2),
  ]);
  return `Milliseconds of a request of the console, one after another.

${table(['request', `${number(FEW)} rows`, `${number(MANY)} rows`, 'ratio'], rows)}

Medians of ${ROUNDS} requests of a session that an API key has opened, over HTTP, with the service as a process of its own
(\`ROLE=api\`) on its embedded database. One environment has this many connections, documents, fetches, failures, attempts, events,
deliveries of a webhook and entries of the audit log, ${number(OF_ONE)} of each for one connection. All fetches are of the last 23 hours,
which the overview counts. A page has up to 50 rows. The search for a text of documents ends after 300 ms with what it has found by
then, and the next page continues it.`;
}
