import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';

/** Later than any lease of a worker; JavaScript can represent it, unlike `infinity`. */
const LEASE_END = `timestamptz '9999-01-01'`;
/** 2,000 years, added to the due times of leased connections, so that they are not at the beginning of the index of due ones. */
const DUE_OFFSET = `interval '63113904000 seconds'`;

/**
 * Lets the transfer hold the leases of all connections: workers claim none of them, and what they are fetching is discarded, because a
 * fetch writes only under its own lease. Fetches that were running are queued again, for a worker of the target.
 */
export async function leaseConnections(
  em: EntityManager,
  environmentUuid: string,
  transferUuid: string,
): Promise<void> {
  await sql(
    em,
    'select count(*) from (select from connection where environment_uuid = $1 order by uuid for update) locked',
    [environmentUuid],
  );
  await sql(
    em,
    `update connection set lease_token = $2, leased_until = ${LEASE_END},
       next_fetch_at = next_fetch_at + ${DUE_OFFSET}, immediate_fetch_at = immediate_fetch_at + ${DUE_OFFSET},
       last_fetch = case when last_fetch->>'status' = 'RUNNING' then jsonb_set(last_fetch, '{status}', '"QUEUED"') else last_fetch end
     where environment_uuid = $1 and lease_token is distinct from $2::uuid`,
    [environmentUuid, transferUuid],
  );
  await sql(em, `update fetch_unfinished set status = 'QUEUED' where environment_uuid = $1 and status = 'RUNNING'`, [
    environmentUuid,
  ]);
}

/**
 * Lets the transfer hold the leases of the grants whose tokens are not being refreshed, and returns the number of the others: a refresh
 * token that the provider has just rotated must be in the export.
 */
export async function leaseGrants(em: EntityManager, environmentUuid: string, transferUuid: string): Promise<number> {
  await sql(
    em,
    `update oauth_grant set lease_token = $2, leased_until = ${LEASE_END}
     where environment_uuid = $1 and lease_token is distinct from $2::uuid
       and (lease_token is null or leased_until < clock_timestamp())`,
    [environmentUuid, transferUuid],
  );
  const [row] = await sql<{ count: number }>(
    em,
    'select count(*)::int as count from oauth_grant where environment_uuid = $1 and lease_token is distinct from $2::uuid',
    [environmentUuid, transferUuid],
  );
  return row!.count;
}

/** Returns the leases to the workers of this installation. */
export async function releaseLeases(em: EntityManager, environmentUuid: string, transferUuid: string): Promise<void> {
  await sql(
    em,
    `update connection set lease_token = null, leased_until = null, next_fetch_at = next_fetch_at - ${DUE_OFFSET},
       immediate_fetch_at = immediate_fetch_at - ${DUE_OFFSET}
     where environment_uuid = $1 and lease_token = $2`,
    [environmentUuid, transferUuid],
  );
  await sql(
    em,
    'update oauth_grant set lease_token = null, leased_until = null where environment_uuid = $1 and lease_token = $2',
    [environmentUuid, transferUuid],
  );
}
