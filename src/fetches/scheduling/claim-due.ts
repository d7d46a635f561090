import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import type { FetchTrigger } from '../history/fetch.entity';

/** A connection whose fetch is due. */
export interface DueConnection {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly trigger: FetchTrigger;
  /** Another fetch of it is queued already and will find the same documents. */
  readonly queued: boolean;
  /** When it became due, in seconds since 1970. */
  readonly since: number;
}

/** The two due times: of an immediate fetch, and of the schedule. */
type DueColumn = 'wanted_fetch_at' | 'next_fetch_at';

const RETURNING = `c.uuid, c.environment_uuid, extract(epoch from due.at)::float8 as since`;

/** An overdue fetch runs once, not once per missed interval: the next date is calculated from now. */
const CLAIM_SCHEDULED = `
  update connection c set next_fetch_at = next_fetch_time(c.uuid, $1, e.fetch_interval_minutes)
  from due, environment e where c.uuid = due.uuid and e.uuid = c.environment_uuid
  returning ${RETURNING}, exists (select 1 from fetch_run f where f.connection_uuid = c.uuid and f.status = 'QUEUED') as queued,
    case when c.failing_since is not null or exists (
    select 1 from failed_document d where d.connection_uuid = c.uuid and d.open) then 'RECOVERY' else 'SCHEDULED' end as trigger`;

/** Also serves a scheduled fetch that is due. */
const CLAIM_IMMEDIATE = `
  update connection c set wanted_fetch_at = null, wanted_fetch_trigger = null,
    next_fetch_at = case when c.next_fetch_at > $1 then c.next_fetch_at
                         else next_fetch_time(c.uuid, $1, e.fetch_interval_minutes) end
  from due, environment e where c.uuid = due.uuid and e.uuid = c.environment_uuid
  returning ${RETURNING}, false as queued, due.trigger`;

/**
 * Claims due connections and sets their next date: the oldest first, and an equal share of every client when more than `limit` are
 * due. At most `limit` per column; rows that another instance is claiming are skipped. The cost depends on the number of claimed
 * rows, plus one index probe per client when more are due.
 */
export async function claimDue(
  em: EntityManager,
  now: Date,
  limit: number,
): Promise<{ immediate: DueConnection[]; scheduled: DueConnection[] }> {
  const immediate = await claimColumn(em, 'wanted_fetch_at', CLAIM_IMMEDIATE, now, limit);
  return { immediate, scheduled: await claimColumn(em, 'next_fetch_at', CLAIM_SCHEDULED, now, limit) };
}

async function claimColumn(
  em: EntityManager,
  column: DueColumn,
  change: string,
  now: Date,
  limit: number,
): Promise<DueConnection[]> {
  const environments = await environmentsWithDue(em, column, now, limit);
  if (environments.length === 0) return [];
  const claimed = await sql<DueConnection>(
    em,
    `with due as materialized (
       select own.* from unnest($2::uuid[]) as client (uuid) cross join lateral (
         select uuid, ${column} as at, wanted_fetch_trigger as trigger from connection
         where environment_uuid = client.uuid and ${column} <= $1
         order by ${column} limit $3 for update skip locked) own)
     ${change}`,
    [now, environments, Math.max(1, Math.floor(limit / environments.length))],
  );
  return claimed.sort((a, b) => a.since - b.since);
}

/** The environments with due connections, at most `limit`, those that have waited longest first. */
async function environmentsWithDue(em: EntityManager, column: DueColumn, now: Date, limit: number): Promise<string[]> {
  const oldest = await sql<{ uuid: string; count: number }>(
    em,
    `select environment_uuid as uuid, count(*)::int as count from (
       select environment_uuid from connection where ${column} <= $1 order by ${column} limit $2) oldest group by 1`,
    [now, limit + 1],
  );
  if (oldest.reduce((sum, { count }) => sum + count, 0) <= limit) return oldest.map(({ uuid }) => uuid);
  // More is due than one call claims, perhaps all of one client: read the oldest of each.
  const all = await sql<{ uuid: string }>(
    em,
    `select e.uuid from environment e cross join lateral (
       select ${column} as at from connection where environment_uuid = e.uuid and ${column} <= $1
       order by ${column} limit 1) first
     order by first.at limit $2`,
    [now, limit],
  );
  return all.map(({ uuid }) => uuid);
}
