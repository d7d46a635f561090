import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../platform/database/sql';
import { statusSql } from './connection-status';
import type { ConnectionCounts } from './identity.view';

/** Counts the connections of each identity by status, in one query for a whole page. */
export async function countConnections(
  em: EntityManager,
  identityUuids: readonly string[],
): Promise<(identityUuid: string) => ConnectionCounts> {
  const rows = await sql<ConnectionCounts & { identity_uuid: string }>(
    em,
    `select identity_uuid, count(*)::int as total,
       (count(*) filter (where status = 'ACTIVE'))::int as active,
       (count(*) filter (where status in ('PENDING', 'INVALID_CREDENTIALS')))::int as needs_attention
     from (select identity_uuid, ${statusSql('c')} as status from connection c where identity_uuid = any($1::uuid[])) own
     group by identity_uuid`,
    [identityUuids],
  );
  const counts = new Map(
    rows.map(({ identity_uuid, total, active, needs_attention }) => [
      identity_uuid,
      { total, active, needs_attention },
    ]),
  );
  return (identityUuid) => counts.get(identityUuid) ?? { total: 0, active: 0, needs_attention: 0 };
}
