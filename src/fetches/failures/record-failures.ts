import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import { affected, jsonb, sql, storableText } from '../../platform/database/sql';
import type { DocumentOrigin } from '../../transactions/record/record-document';
import type { FailedDownload } from '../history/page-outcome';
import { failureVersion } from './failure-version';

/** The documents that a fetch has downloaded: their keys, and the source's ids where it has any. */
export interface DownloadedKeys {
  readonly dedupeKeys: readonly string[];
  readonly externalIds: readonly string[];
}

/**
 * Records failed downloads in the caller's transaction. Returns how many of them this fetch has not counted yet: a page may be
 * processed twice when a worker dies.
 */
export async function recordFailures(
  em: EntityManager,
  { fetchUuid, connectionUuid, environment }: DocumentOrigin,
  failures: readonly FailedDownload[],
  now: Date,
): Promise<number> {
  if (failures.length === 0) return 0;
  const rows = failures.map(({ ref, code, open }) => ({
    uuid: uuid(),
    dedupe_key: ref.dedupeKey,
    external_id: ref.externalId,
    filename: ref.filename,
    version: failureVersion(ref),
    code,
    ref,
    open,
  }));
  const keys = rows.map((row) => row.dedupe_key);
  await closeAttempts(em, connectionUuid, keys);
  const inserted = await sql<{ dedupe_key: string; fresh: boolean }>(
    em,
    `insert into fetch_failure (fetch_uuid, connection_uuid, environment_uuid, dedupe_key, external_id, filename, code, ref, open, created_at)
     select $1, $2, $5, dedupe_key, external_id, filename, code, ref, open, $4
     from jsonb_to_recordset($3::jsonb) as f (dedupe_key text, external_id text, filename text, code text, ref jsonb, open boolean)
     on conflict (fetch_uuid, dedupe_key, environment_uuid) do update set open = excluded.open, code = excluded.code
     returning dedupe_key, (xmax = 0) as fresh`,
    [fetchUuid, connectionUuid, jsonb(rows), now, environment.uuid],
  );
  const fresh = new Set(inserted.filter((row) => row.fresh).map((row) => row.dedupe_key));
  await countAttempts(
    em,
    { connectionUuid, environmentUuid: environment.uuid },
    rows.filter((row) => fresh.has(row.dedupe_key)),
    now,
  );
  // A document that was dismissed during the attempt stays dismissed.
  await sql(
    em,
    `update fetch_failure f set open = false from document_failure d
     where f.connection_uuid = $1 and f.open and f.dedupe_key = any($2::text[])
       and d.connection_uuid = $1 and d.dedupe_key = f.dedupe_key and d.environment_uuid = f.environment_uuid
       and d.dismissed_at is not null`,
    [connectionUuid, keys],
  );
  await updateFailureCount(em, connectionUuid);
  return fresh.size;
}

/** A dismissed document is only attempted in another version: that is a new failure with a new id. */
function countAttempts(
  em: EntityManager,
  { connectionUuid, environmentUuid }: { connectionUuid: string; environmentUuid: string },
  rows: readonly object[],
  now: Date,
): Promise<unknown> {
  return sql(
    em,
    `insert into document_failure as d (uuid, connection_uuid, environment_uuid, dedupe_key, external_id, filename, code, version,
       attempts, failing_since)
     select uuid, $1, $4, dedupe_key, external_id, filename, code, version, 1, $3
     from jsonb_to_recordset($2::jsonb) as f (uuid uuid, dedupe_key text, external_id text, filename text, code text, version text)
     on conflict (connection_uuid, dedupe_key, environment_uuid) do update set
       uuid = case when d.dismissed_at is null then d.uuid else excluded.uuid end,
       attempts = case when d.dismissed_at is null then d.attempts + 1 else 1 end,
       failing_since = case when d.dismissed_at is null then d.failing_since else excluded.failing_since end,
       external_id = excluded.external_id, filename = excluded.filename, code = excluded.code, version = excluded.version,
       dismissed_at = null
     where d.dismissed_at is null or d.version <> excluded.version`,
    [connectionUuid, jsonb(rows), now, environmentUuid],
  );
}

/**
 * Deletes the failures of documents that were downloaded, in whichever version. Returns how many of them this fetch had counted as
 * failed.
 */
export async function clearFailures(
  em: EntityManager,
  { fetchUuid, connectionUuid }: DocumentOrigin,
  { dedupeKeys, externalIds }: DownloadedKeys,
): Promise<number> {
  if (dedupeKeys.length === 0) return 0;
  const [row] = await sql<{ deleted: number }>(
    em,
    `with closed as (
       update fetch_failure set open = false
       where connection_uuid = $1 and open and (dedupe_key = any($2::text[]) or external_id = any($3::text[]))),
     gone as (
       delete from document_failure
       where connection_uuid = $1 and (dedupe_key = any($2::text[]) or external_id = any($3::text[])) returning 1)
     select count(*)::int as deleted from gone`,
    [connectionUuid, dedupeKeys, externalIds.map(storableText)],
  );
  if (row!.deleted > 0) await updateFailureCount(em, connectionUuid);
  return affected(em, 'delete from fetch_failure where fetch_uuid = $1 and dedupe_key = any($2::text[])', [
    fetchUuid,
    dedupeKeys,
  ]);
}

/** Ends the retries of these documents. */
export function closeAttempts(
  em: EntityManager,
  connectionUuid: string,
  dedupeKeys: readonly string[],
): Promise<unknown> {
  return sql(
    em,
    'update fetch_failure set open = false where connection_uuid = $1 and open and dedupe_key = any($2::text[])',
    [connectionUuid, dedupeKeys],
  );
}

/** Updates the number of failed documents in the connection; the caller has locked its row. */
export function updateFailureCount(em: EntityManager, connectionUuid: string): Promise<unknown> {
  return sql(
    em,
    `update connection set failed_documents =
       (select count(*) from document_failure where connection_uuid = $1 and dismissed_at is null)
     where uuid = $1`,
    [connectionUuid],
  );
}
