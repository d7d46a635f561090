import { randomUUID } from 'node:crypto';
import { ManageKeys } from '../../../../src/auth/keys/manage-keys';
import { eventually } from '../../../harness/eventually';
import type { TestContext } from '../../../harness/app/test-context';
import { openConsole } from '../../../harness/http/console-session';
import { connectionWithDocuments } from '../../../harness/app/connection-with-documents';

/** The resources under attack, in `context.client`'s environment and of `context.identity`. */
export interface Victim {
  readonly environment: string;
  /** An API key of the environment that nobody uses. */
  readonly key: string;
  readonly identity: string;
  readonly clientIdentifier: string;
  readonly connection: string;
  readonly transaction: string;
  /** A transaction with an XML invoice. */
  readonly eInvoice: string;
  /** A rendition of the transaction. */
  readonly rendition: string;
  readonly fetch: string;
  /** A document of the connection that could not be read. */
  readonly failure: string;
  /** An event of the connection, as listed by `GET /v1/events`. */
  readonly event: string;
  /** A webhook of the environment; the connection has one as well. */
  readonly webhook: string;
  /** A session of the console in the environment. */
  readonly consoleSession: string;
  /** Texts that identify the identity in a response. */
  readonly marks: readonly string[];
  /** Texts that identify the connection and its resources in a response. */
  readonly connectionMarks: readonly string[];
}

export interface Attacker {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** An identity of the attacker. */
  readonly identity: string;
  /** Its token belongs to the victim's identity but is restricted to another resource, so it may read the identity. */
  readonly isSameIdentity: boolean;
  readonly hasKey: boolean;
  readonly hasToken: boolean;
}

export async function createVictim(context: TestContext): Promise<Victim> {
  const mark = `victim-${randomUUID()}`;
  const display = `victim-${randomUUID()}`;
  const connection = await connectionWithDocuments(context, { user: mark });
  await context.query('update connection set name = $2 where uuid = $1', [connection, `name of ${mark}`]);
  await context.query('update identity set display_name = $2 where uuid = $1', [context.identity, display]);
  await context.client.request('get', '/v1/transactions').expect(200); // assigns the positions of the documents
  const uuids = async (table: string) =>
    (await context.query<{ uuid: string }>(`select uuid from "${table}" where connection_uuid = $1`, [connection])).map(
      ({ uuid }) => uuid,
    );
  const own = { url: `https://${mark}.example/own` };
  await context.client.request('put', `/v1/connections/${connection}/webhook`).send(own).expect(200);
  const registered = await context.client
    .request('post', '/v1/webhooks')
    .send({ url: `http://localhost:9/${mark}` })
    .expect(201);
  const webhook = (registered.body as { data: { uuid: string } }).data.uuid;
  const [event] = await context.query<{ uuid: string }>(
    `select uuid from outbox where subject_uuid = $1 and type = 'fetch.finished'`,
    [connection],
  );
  const failure = randomUUID();
  await context.query(
    `insert into document_failure (uuid, connection_uuid, environment_uuid, dedupe_key, filename, code, version, attempts, failing_since)
     select $1, uuid, environment_uuid, 'failed', $3, 'DOCUMENT_UNAVAILABLE', '1', 1, now() from connection where uuid = $2`,
    [failure, connection, `${mark}.pdf`],
  );
  const [eInvoice] = await context.query<{ uuid: string }>(
    `select uuid from transaction where connection_uuid = $1 and mime_type = 'application/xml' limit 1`,
    [connection],
  );
  const rendition = randomUUID();
  const [transactions, fetches] = [await uuids('transaction'), await uuids('fetch')];
  await context.query('update transaction set validation = $2 where uuid = $1', [
    transactions[0],
    JSON.stringify({ ruleset: { name: mark, version: '1' }, errors: 0, warnings: 0, findings: [] }),
  ]);
  // With the content of another document, which has the same key.
  await context.query(
    `insert into rendition (uuid, environment_uuid, connection_uuid, transaction_uuid, dedupe_key, filename, mime_type, size, sha256,
       content_uuid, content_chunks, created_at)
     select $1, environment_uuid, connection_uuid, $2, 'form', $3, 'application/pdf', size, sha256, content_uuid, content_chunks, now()
     from transaction where uuid = $4`,
    [rendition, transactions[0], `${mark}.pdf`, transactions[1]],
  );
  const { sessionUuid: consoleSession } = await openConsole(context.app, context.client.environmentUuid);
  const keys = context.app.app.get(ManageKeys, { strict: false });
  const { record: key } = await keys.issue('test', context.client.environmentUuid, null);
  return {
    environment: context.client.environmentUuid,
    key: key.uuid,
    identity: context.identity,
    clientIdentifier: 'identity',
    connection,
    transaction: transactions[0]!,
    eInvoice: eInvoice!.uuid,
    rendition,
    fetch: fetches[0]!,
    failure,
    event: event!.uuid,
    webhook,
    consoleSession,
    marks: [context.identity, display],
    connectionMarks: [
      connection,
      mark,
      webhook,
      failure,
      consoleSession,
      key.uuid,
      rendition,
      event!.uuid,
      ...transactions,
      ...fetches,
    ],
  };
}

export async function createAttackers(context: TestContext): Promise<Attacker[]> {
  const { client, otherClient, identity, otherIdentity, otherIdentityToken } = context;
  const foreignIdentity = await otherClient.createIdentity();
  const other = await context.createConnection({ name: 'another one' });
  const [otherClientsToken, forAnother, forImap] = [
    await otherClient.createToken(foreignIdentity),
    await client.createToken(identity, { connection_uuid: other }),
    await client.createToken(identity, { integration_id: 'imap' }),
  ];
  const key = { 'X-API-KEY': client.apiKey };
  const console = await openConsole(context.app, otherClient.environmentUuid);
  const row = (name: string, headers: Record<string, string>, own: string): Attacker => ({
    name,
    headers,
    identity: own,
    isSameIdentity: own === identity,
    hasKey: 'X-API-KEY' in headers,
    hasToken: 'X-TOKEN' in headers,
  });
  return [
    row('a key of another environment', { 'X-API-KEY': otherClient.apiKey }, foreignIdentity),
    row('a token of another environment', { 'X-TOKEN': otherClientsToken }, foreignIdentity),
    row('a token of another identity', { 'X-TOKEN': otherIdentityToken }, otherIdentity),
    row('a token for another connection', { 'X-TOKEN': forAnother }, identity),
    row('a token for another integration', { 'X-TOKEN': forImap }, identity),
    row('the key with a token of another identity', { ...key, 'X-TOKEN': otherIdentityToken }, otherIdentity),
    row('the key with a token for another connection', { ...key, 'X-TOKEN': forAnother }, identity),
    row('the key with a token for another integration', { ...key, 'X-TOKEN': forImap }, identity),
    row('the key with a token of another environment', { ...key, 'X-TOKEN': otherClientsToken }, foreignIdentity),
    row('a session of the console of another environment', console.headers, foreignIdentity),
  ];
}

/** Tables that are shared or whose rows have no owner. */
const UNKNOWN_IDS = ['throttle', 'rate_limit_slot', 'provider_pause', 'migration', 'worker_uptime', 'worker_heartbeat'];
const CONNECTIONS = 'select uuid from connection where environment_uuid = $1';
/** Columns that determine the owner of a row, each with the ids of the environment, in order of preference. */
const OWNERS: readonly (readonly [column: string, owners: string])[] = [
  ['environment_uuid', '$1::uuid'],
  ['connection_uuid', CONNECTIONS],
  ['identity_uuid', 'select uuid from identity where environment_uuid = $1'],
  ['transaction_uuid', 'select uuid from transaction where environment_uuid = $1'],
  ['fetch_uuid', 'select uuid from "fetch" where environment_uuid = $1'],
  ['webhook_uuid', 'select uuid from webhook where environment_uuid = $1'],
  ['owner_uuid', `${CONNECTIONS} union select $1::uuid`],
  ['content_uuid', `select uuid from content where owner_uuid in (${CONNECTIONS})`],
];

/** Number and hash of all rows of an environment by table, without the times when its keys were used. */
export async function rowsOf(context: TestContext, environment: string): Promise<Record<string, string>> {
  const columns = await context.query<{ table: string; columns: string[] }>(
    `select t.table_name as table, array_agg(c.column_name::text) as columns
     from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1 order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { table, columns: names } of columns.filter((row) => !UNKNOWN_IDS.includes(row.table))) {
    const owner =
      table === 'environment' ? (['uuid', '$1::uuid'] as const) : OWNERS.find(([column]) => names.includes(column));
    if (!owner) throw new Error(`Say in isolation/tenants.ts whose the rows of "${table}" are.`);
    const [row] = await context.query<{ rows: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, '|' order by row)), '') as rows
       from (select (to_jsonb(t) - 'last_used_at')::text as row from "${table}" t where t.${owner[0]} in (${owner[1]})) r`,
      [environment],
    );
    found[table] = row!.rows;
  }
  return found;
}

/** Waits until the workers are idle. */
export async function settled(context: TestContext): Promise<Record<string, string>> {
  let last = '';
  return eventually(async () => {
    const undispatched = await context.query('select from outbox where dispatched_at is null');
    const now = await rowsOf(context, context.client.environmentUuid);
    const isSame = JSON.stringify(now) === last;
    last = JSON.stringify(now);
    return isSame && undispatched.length === 0 && now;
  }, 'the data of the victim comes to rest');
}
