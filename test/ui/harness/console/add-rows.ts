/** Sends a statement to the database and returns its rows. */
export type Query = <Row extends object = Record<string, unknown>>(
  text: string,
  parameters?: unknown[],
) => Promise<Row[]>;

/** The rows that are copied or referred to, by their uuids. */
export interface Originals {
  readonly environment: string;
  readonly connection: string;
  readonly transaction: string;
  readonly webhook: string;
}

/** What an installation has few of, and what a user reads in one list. */
export const FEW = 100;

/**
 * Copies a connection, with names that end with a number, and later uuids. Its words are written for all at once, which the trigger
 * does for each.
 */
export async function addConnections(
  { query }: { readonly query: Query },
  original: string,
  name: string,
  count: number,
): Promise<void> {
  await query('begin');
  await query('alter table connection disable trigger user');
  await query(
    `with copy as (insert into connection
       select copied.* from connection c cross join generate_series(1, $2::int) n
       cross join lateral jsonb_populate_record(c, jsonb_build_object('uuid', uuidv7(), 'name', $1 || ' ' || n)) copied where c.uuid = $3
       returning uuid, environment_uuid, name, integration_id)
     insert into connection_term select uuid, environment_uuid, unnest(array[lower(name), '', ':' || integration_id]) from copy`,
    [name, count, original],
  );
  await query('alter table connection enable trigger user');
  await query('commit');
}

/** SQL: `$1` is the environment, `$2` the connection, `$3` the transaction, `$4` the webhook; `n` is the number of the row. */
const INSERTS: readonly [table: string, sql: string, isFew?: true][] = [
  [
    'transaction',
    `select copied.* from transaction t cross join rows cross join lateral jsonb_populate_record(t, jsonb_build_object('uuid', uuidv7(), 'connection_uuid', $2::uuid, 'dedupe_key', 'copy ' || n, 'external_id', 'copy ' || n,
       'filename', 'Rechnung ' || n || '.pdf', 'content_uuid', null, 'available_until', null, 'invoice_key', null, 'supplier_key', null,
       'position', nextval('transaction_position_seq'), 'status', (array['DELIVERED', 'AVAILABLE', 'FAILED'])[1 + n % 3],
       'last_error', case when n % 3 = 2 then '{"code": "UNEXPECTED_STATUS", "status": 500, "message": null}'::jsonb end)) copied
     where t.uuid = $3`,
  ],
  [
    'fetch',
    `(uuid, environment_uuid, retention_class, connection_uuid, trigger, status, seen, new, duplicate, filtered, failed, error_code,
       created_at, started_at, finished_at, filtered_by)
     select uuidv7(- minutes), $1, 'STANDARD', $2, 'SCHEDULED', (array['SUCCEEDED', 'PARTIAL', 'FAILED'])[1 + n % 3], 12000, 3, 11993, 3, 1,
       case when n % 3 = 2 then 'PROVIDER_DOWN' end, at, at, at + interval '2 seconds', '{"TYPE": 2, "BEFORE_STARTDATE": 1}' from rows`,
  ],
  [
    'document_failure',
    `(uuid, environment_uuid, connection_uuid, dedupe_key, external_id, filename, code, version, attempts, failing_since)
     select uuidv7(), $1, $2, 'failure ' || n, 'Ablage/' || n, 'Kontoauszug ' || n || '.pdf', 'DOCUMENT_UNAVAILABLE', 'v1', 3, at from rows`,
  ],
  [
    'delivery_attempt',
    `(uuid, environment_uuid, retention_class, transaction_uuid, number, started_at, duration_ms, status, error_code, response_excerpt)
     select uuidv7(- minutes), $1, 'STANDARD', case when n <= ${FEW} then $3::uuid else uuidv7() end, n, at, 40 + n % 300,
       case when n % 4 = 0 then 500 else 200 end, case when n % 4 = 0 then 'UNEXPECTED_STATUS' end, '{"error":"no ledger"}' from rows`,
  ],
  [
    'outbox',
    `(uuid, environment_uuid, retention_class, subject_uuid, type, data, position, created_at, dispatched_at)
     select uuidv7(- minutes), $1, 'STANDARD', case k when 0 then identity_uuid else $2 end, type, data || jsonb_build_object('connection_uuid', $2::uuid, 'identity_uuid', identity_uuid),
       nextval('outbox_position_seq'), at, at
     from rows join connection c on c.uuid = $2
     join (values (0, 'source.requested', jsonb_build_object('text', 'Stadtwerke Musterstadt')),
       (1, 'document.expected_missing', '{"supplier": {"name": "Stadtwerke", "vat_id": "DE123456789"}, "expected_by": "2026-11-08",
          "last_dates": ["2026-09-01", "2026-10-01"]}'),
       (2, 'connection.status_changed', '{"from": "ACTIVE", "to": "DISABLED", "cause": "token"}'),
       (3, 'fetch.finished', jsonb_build_object('status', 'SUCCEEDED', 'error', null,
         'fetch_uuid', (select uuid from "fetch" where connection_uuid = $2 limit 1)))) kind (k, type, data)
       on n % 4 = k`,
  ],
  [
    'webhook_delivery',
    `(uuid, environment_uuid, retention_class, webhook_uuid, event_uuid, type, state, created_at, sent_at, duration_ms, status, error_code,
       response_excerpt)
     select uuidv7(), $1, 'STANDARD', $4, uuidv7(), 'fetch.finished', case when n % 4 = 0 then 'FAILED' else 'DELIVERED' end, at, at, 83,
       case when n % 4 = 0 then 503 else 204 end, case when n % 4 = 0 then 'UNEXPECTED_STATUS' end, case when n % 4 = 0 then 'closed' end
     from rows`,
  ],
  [
    'audit_log',
    `(uuid, environment_uuid, actor, action, subject_uuid, details, created_at)
     select uuidv7(), $1, 'cli:support', 'connection.fetch', $2, jsonb_build_object('fetch_uuid', uuidv7()), at from rows`,
  ],
  [
    'console_session',
    `(uuid, environment_uuid, digest, role, opened_by, user_agent, created_at, last_used_at, expires_at)
     select uuidv7(), $1, sha256(int4send(n)), case when n % 2 = 0 then 'SUPPORT' else 'DEVELOPER' end, 'cli:support',
       'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', at, at, now() + interval '8 hours' from rows`,
    true,
  ],
  [
    'api_key',
    `(uuid, environment_uuid, digest, prefix, last_four, created_at, last_used_at, expires_at, scopes, allowed_ips)
     select uuidv7(), $1, 'copy ' || n, 'df_test_', lpad(n::text, 4, '0'), at, at, now() + interval '30 days', '{read}', '{10.0.0.0/8}' from rows`,
    true,
  ],
  [
    'webhook',
    `select copied.* from webhook w cross join rows
     cross join lateral jsonb_populate_record(w, jsonb_build_object('uuid', uuidv7(), 'url', w.url || n,
       'disabled_at', now(), 'disabled_reason', 'BY_CLIENT')) copied where w.uuid = $4`,
    true,
  ],
  [
    'environment',
    `select copied.* from environment e cross join rows
     cross join lateral jsonb_populate_record(e, jsonb_build_object('uuid', uuidv7(), 'client_name', 'Mandant ' || n)) copied where e.uuid = $1`,
    true,
  ],
  [
    'monthly_usage',
    `select $1, date_trunc('month', now()) - n * interval '1 month', 0, n, 30 * n, 12 * n, 5000000 * n from rows`,
    true,
  ],
];

/**
 * Adds rows with the numbers `first` to `last` to the documents of an environment and to each table of its history. With those from 1 on, a
 * hundred of everything else are added.
 */
export async function addRows(query: Query, originals: Originals, first: number, last: number): Promise<void> {
  const { environment, connection, transaction, webhook } = originals;
  const rows = `select n, n % 1380 * interval '1 minute' as minutes, now() - n % 1380 * interval '1 minute' as at from generate_series($5::int, $6::int) n`;
  // Every parameter has a type, whether the statement uses it or not.
  const typed = 'parameters as (select $1::uuid, $2::uuid, $3::uuid, $4::uuid)';
  for (const [table, insert, isFew] of INSERTS) {
    if (isFew && first > 1) continue;
    const [columns, select] = insert.startsWith('(') ? splitColumns(insert) : ['', insert];
    await query(`insert into "${table}" ${columns} with ${typed}, rows as (${rows}) ${select}`, [
      ...[environment, connection, transaction, webhook],
      ...[first, isFew ? FEW : last],
    ]);
  }
}

function splitColumns(insert: string): [columns: string, select: string] {
  const end = insert.indexOf(')') + 1;
  return [insert.slice(0, end), insert.slice(end)];
}
