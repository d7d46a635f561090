import type { Client } from 'pg';

/** One fetch, one event, one webhook delivery, one attempt and one document with content for each connection and day. */
export const CONNECTIONS = 1_000;

export interface Tenant {
  readonly environment: string;
  readonly webhook: string;
}

/** The environment's webhook, identity and connections, which are never fetched. */
export async function createTenant(client: Client, environment: string): Promise<Tenant> {
  const { rows } = await client.query<{ uuid: string }>(
    `with owner as (
       insert into identity (uuid, environment_uuid, client_identifier, metadata, created_at, updated_at)
       values (uuidv7(), $1, 'bench', '{}', now(), now()) returning uuid),
     connections as (
       insert into connection (uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields,
         display_values, consecutive_failures, created_at, updated_at)
       select uuidv7(), $1, owner.uuid, 'sandbox', 'Bench', '{}', '{}', '[]', '{}', 0, now(), now()
       from owner, generate_series(1, $2::int))
     insert into webhook (uuid, environment_uuid, url, events, secrets, consecutive_failures, created_at, updated_at)
     values (uuidv7(), $1, 'https://bench.example', '[]', '', 0, now(), now()) returning uuid`,
    [environment, CONNECTIONS],
  );
  await client.query(
    `insert into data_key (owner_uuid, environment_uuid, master_key_id, wrapped_key, created_at)
     select uuid, environment_uuid, 'bench', '', now() from connection`,
  );
  return { environment, webhook: rows[0]!.uuid };
}

/**
 * Writes a day that ends at `at` as the service writes it: rows whose uuids have the time of the day, with the updates that
 * dispatching, sending and delivering make.
 */
export async function writeDay(client: Client, { environment, webhook }: Tenant, at: Date): Promise<void> {
  await writeFetches(client, environment, at);
  const shift = `$3::timestamptz - now() - random() * interval '1 day'`;
  await client.query(
    `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at)
     select uuidv7(${shift}), $1, e.retention_class, c.uuid, 'fetch.finished', jsonb_build_object('fetch_uuid', uuidv7()), $3
     from connection c join environment e on e.uuid = c.environment_uuid where e.uuid = $1 and $2::uuid is not null`,
    [environment, webhook, at],
  );
  await client.query(
    `insert into webhook_delivery (uuid, environment_uuid, retention_class, webhook_uuid, event_uuid, type, state, created_at)
     select uuidv7(${shift}), $1, retention_class, $2, uuid, type, 'WAITING', $3 from outbox where dispatched_at is null`,
    [environment, webhook, at],
  );
  await client.query('update outbox set dispatched_at = $1 where dispatched_at is null', [at]);
  await client.query(`update webhook_delivery set state = 'SENDING', sent_at = $1 where state = 'WAITING'`, [at]);
  await client.query(
    `update webhook_delivery set state = 'DELIVERED', duration_ms = 20, status = 200, response_excerpt = 'ok' where state = 'SENDING'`,
  );
  await writeDocuments(client, environment, at);
}

/** Fetches that have found nothing: the claim records them, and their end moves them into the history. */
async function writeFetches(client: Client, environment: string, at: Date): Promise<void> {
  await client.query(
    `insert into "fetch" (uuid, connection_uuid, environment_uuid, trigger, status, seen, new, duplicate, filtered, failed, created_at,
       started_at)
     select uuidv7($2::timestamptz - now() - random() * interval '1 day'), uuid, environment_uuid, 'SCHEDULED', 'RUNNING', 0, 0, 0, 0, 0, $2, $2
     from connection where environment_uuid = $1`,
    [environment, at],
  );
  await client.query(
    `update "fetch" set status = 'SUCCEEDED', finished_at = $1, retention_class = 'STANDARD' where retention_class = 'UNFINISHED'`,
    [at],
  );
}

/** Documents that are delivered at once, so that their content is kept for seven days. */
async function writeDocuments(client: Client, environment: string, at: Date): Promise<void> {
  await client.query(
    `insert into content (uuid, environment_uuid, owner_uuid, size, sha256, chunks, created_at, attached_at)
     select uuidv7(), $1, uuid, 4096, '', 1, $2, $2 from connection where environment_uuid = $1`,
    [environment, at],
  );
  await client.query(
    `insert into content_chunk (content_uuid, environment_uuid, index, bytes)
     select uuid, environment_uuid, 0, decode(repeat(md5(uuid::text), 256), 'hex') from content where created_at = $1`,
    [at],
  );
  await client.query(
    `insert into transaction (uuid, environment_uuid, identity_uuid, connection_uuid, fetch_uuid, integration_id, document_type,
       dedupe_key, filename, mime_type, size, sha256, metadata, content_uuid, content_chunks, available_until, strategy, status,
       attempts, settled_at, created_at)
     select uuidv7($2::timestamptz - now()), $1, c.identity_uuid, c.uuid, uuidv7(), 'sandbox', 'invoice', k.uuid::text, 'a.pdf',
       'application/pdf', 4096, '', '{}', k.uuid, 1, $2::timestamptz + interval '7 days', 'PUSH', 'DELIVERED', 1, $2, $2
     from content k join connection c on c.uuid = k.owner_uuid where k.created_at = $2`,
    [environment, at],
  );
  await client.query(
    `insert into delivery_attempt (uuid, environment_uuid, retention_class, transaction_uuid, number, started_at, duration_ms, status)
     select uuidv7($2::timestamptz - now()), $1, e.retention_class, t.uuid, 1, $2, 20, 200
     from transaction t join environment e on e.uuid = t.environment_uuid where t.created_at = $2 and e.uuid = $1`,
    [environment, at],
  );
}
