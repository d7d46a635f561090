import type { EntityManager } from '@mikro-orm/postgresql';
import { NIL } from 'uuid';
import { assertUuid } from './served-environment';
import { sql } from './sql';

/** The row that counts for all environments. */
export const ALL_ENVIRONMENTS = NIL;

/**
 * SQL: from now on, a replica answers for this environment only once it has replayed everything that has been committed until now
 * (ADR 33). In a statement of its own, after the commit whose position it is; the table is not logged, so it does not wait for the disk.
 */
export const notePosition = (environmentUuid: string): string =>
  `insert into write_position as w (environment_uuid, position) values ('${assertUuid(environmentUuid)}', pg_current_wal_insert_lsn())
   on conflict (environment_uuid) do update set position = greatest(w.position, excluded.position)`;

/** Notes the position outside of a transaction. */
export async function notePositionNow(em: EntityManager, environmentUuid: string): Promise<void> {
  await sql(em.fork(), notePosition(environmentUuid));
}
