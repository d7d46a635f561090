import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import { deleteJobs } from '../../platform/jobs/job-queries';

/** Deletes the redeliveries whose filter is one of these connections or identities, with their jobs. */
export async function deleteRedeliveries(
  em: EntityManager,
  filter: 'connection_uuid' | 'identity_uuid',
  uuids: readonly string[],
): Promise<void> {
  const rows = await sql<{ uuid: string }>(
    em,
    `delete from redelivery where uuid in (
       select uuid from redelivery where ${filter} = any($1::uuid[]) order by uuid for update) returning uuid`,
    [uuids],
  );
  await deleteJobs(
    em,
    rows.map(({ uuid }) => uuid),
  );
}

/** Open redeliveries of chosen transactions forget those of these connections; the others are still delivered. */
export async function forgetChosenTransactions(em: EntityManager, connections: readonly string[]): Promise<void> {
  await sql(
    em,
    `with open as (
       select r.uuid from redelivery r where finished_at is null and exists (
         select from transaction t where t.uuid = any(r.transaction_uuids) and t.connection_uuid = any($1::uuid[]))
       order by r.uuid for update)
     update redelivery r set transaction_uuids = array(
       select chosen from unnest(r.transaction_uuids) with ordinality as c (chosen, place)
       where not exists (
         select from transaction t where t.uuid = chosen and t.connection_uuid = any($1::uuid[])) order by place)
     from open where r.uuid = open.uuid`,
    [connections],
  );
}
