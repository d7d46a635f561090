import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import type { DocumentOrigin } from './record-document';

/**
 * Records the file versions that have been read, so that they are not read again, even when their content was known.
 */
export async function recordVersions(
  em: EntityManager,
  origin: DocumentOrigin,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql(
    em,
    `insert into seen_version (connection_uuid, environment_uuid, fetch_uuid, dedupe_key)
     select $1, $2, $3, unnest($4::text[])
     on conflict do nothing`,
    [origin.connectionUuid, origin.environment.uuid, origin.fetchUuid, keys],
  );
}
