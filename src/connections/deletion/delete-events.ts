import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';

/** Locks the events of connections or identities, in the order of their uuids. */
export async function lockEvents(em: EntityManager, subjects: readonly string[]): Promise<void> {
  // The uuids are aggregated, so that they are not sent to this process.
  await sql(
    em,
    `select count(*) from (select from outbox where subject_uuid = any($1::uuid[]) order by uuid for update) locked`,
    [subjects],
  );
}

/** Deletes the events of connections or identities, and what the webhooks of the environment have received of them or wait for. */
export async function deleteEvents(em: EntityManager, subjects: readonly string[]): Promise<void> {
  await sql(
    em,
    `delete from webhook_delivery d using outbox o
     where o.subject_uuid = any($1::uuid[]) and d.event_uuid = o.uuid and d.environment_uuid = o.environment_uuid`,
    [subjects],
  );
  await sql(em, 'delete from outbox where subject_uuid = any($1::uuid[])', [subjects]);
}
