import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import type { FetchTrigger } from '../history/fetch.entity';
import { nextFetchTimeOf, type ScheduledConnection, setNextFetchTimes } from './set-next-fetch-times';

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
type DueColumn = 'immediate_fetch_at' | 'next_fetch_at';

interface ClaimedConnection extends DueConnection, ScheduledConnection {
  /** The next scheduled fetch is in the future. */
  readonly is_scheduled: boolean;
}

/** SQL: the trigger of a claimed fetch, and whether another one is queued. */
const FETCH_OF: Readonly<Record<DueColumn, string>> = {
  immediate_fetch_at: 'immediate_fetch_trigger as trigger, false as queued',
  next_fetch_at: `
    case when due.failing_since is not null or exists (
      select 1 from fetch_failure d where d.connection_uuid = due.uuid and d.open) then 'RECOVERY' else 'SCHEDULED' end as trigger,
    exists (select 1 from "fetch" f where f.connection_uuid = due.uuid and f.status = 'QUEUED') as queued`,
};

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
  const immediate = await lockDue(em, 'immediate_fetch_at', now, limit);
  await clearImmediate(em, immediate, now);
  const scheduled = await lockDue(em, 'next_fetch_at', now, limit);
  // An overdue fetch runs once, not once per missed interval: the next date is calculated from now.
  if (scheduled.length > 0) await setNextFetchTimes(em, scheduled, now);
  return { immediate, scheduled };
}

/** Locks the due connections until the end of the transaction. */
async function lockDue(em: EntityManager, column: DueColumn, now: Date, limit: number): Promise<ClaimedConnection[]> {
  const environments = await environmentsWithDue(em, column, now, limit);
  if (environments.length === 0) return [];
  const claimed = await sql<ClaimedConnection>(
    em,
    `select due.uuid, due.environment_uuid, extract(epoch from due.${column})::float8 as since, ${FETCH_OF[column]},
       due.next_fetch_at > $1 as is_scheduled, e.fetch_interval_minutes
     from environment e cross join lateral (
       select uuid, environment_uuid, failing_since, next_fetch_at, immediate_fetch_at, immediate_fetch_trigger from connection
       where environment_uuid = e.uuid and ${column} <= $1
       order by ${column} limit $3 for update skip locked) due
     where e.uuid = any($2::uuid[])`,
    [now, environments, Math.max(1, Math.floor(limit / environments.length))],
  );
  return claimed.sort((a, b) => a.since - b.since);
}

/** The fetch also serves a scheduled one that is due, which is then scheduled again. */
async function clearImmediate(em: EntityManager, claimed: readonly ClaimedConnection[], now: Date): Promise<void> {
  if (claimed.length === 0) return;
  await sql(
    em,
    `update connection c set immediate_fetch_at = null, immediate_fetch_trigger = null, next_fetch_at = coalesce(given.next, c.next_fetch_at)
     from unnest($1::uuid[], $2::timestamptz[]) as given (uuid, next) where c.uuid = given.uuid`,
    [
      claimed.map(({ uuid }) => uuid),
      claimed.map((connection) => (connection.is_scheduled ? null : nextFetchTimeOf(connection, now))),
    ],
  );
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
