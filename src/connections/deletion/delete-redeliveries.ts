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
