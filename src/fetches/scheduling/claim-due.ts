import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import type { FetchTrigger } from '../history/fetch.entity';

/** A connection whose time has come. */
export interface DueConnection {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly trigger: FetchTrigger;
  /** Another fetch of it stands in line already and will bring whatever this one would. */
  readonly queued: boolean;
  /** Since when, in seconds since 1970. */
  readonly since: number;
}

/** The two columns of the calendar: a fetch outside the schedule, and the schedule. */
type Column = 'wanted_fetch_at' | 'next_fetch_at';

const ANSWER = `c.uuid, c.environment_uuid, extract(epoch from due.at)::float8 as since`;

/** What is overdue runs once, not once per missed interval: the next date is counted from now. */
const SCHEDULED = `
  update connection c set next_fetch_at = next_fetch_time(c.uuid, $1, e.fetch_interval_minutes)
  from due, environment e where c.uuid = due.uuid and e.uuid = c.environment_uuid
  returning ${ANSWER}, exists (select 1 from fetch_run f where f.connection_uuid = c.uuid and f.status = 'QUEUED') as queued,
    case when c.failing_since is not null or exists (
    select 1 from failed_document d where d.connection_uuid = c.uuid and d.open) then 'RECOVERY' else 'SCHEDULED' end as trigger`;

/** A scheduled fetch that is due as well is the same one. */
const WANTED = `
  update connection c set wanted_fetch_at = null, wanted_fetch_trigger = null,
    next_fetch_at = case when c.next_fetch_at > $1 then c.next_fetch_at
                         else next_fetch_time(c.uuid, $1, e.fetch_interval_minutes) end
  from due, environment e where c.uuid = due.uuid and e.uuid = c.environment_uuid
  returning ${ANSWER}, false as queued, due.trigger`;

/**
 * Takes connections out of the calendar, giving each its next date: the oldest first, and when there are more than one
 * look takes, from every client an equal part. At most `limit` of each column; rows that another instance is taking are left
 * to it. Costs what is taken, and one probe per client when there is more.
 */
export async function claimDue(
  em: EntityManager,
  now: Date,
  limit: number,
): Promise<{ wanted: DueConnection[]; scheduled: DueConnection[] }> {
  const wanted = await claimColumn(em, 'wanted_fetch_at', WANTED, now, limit);
  return { wanted, scheduled: await claimColumn(em, 'next_fetch_at', SCHEDULED, now, limit) };
}

async function claimColumn(
  em: EntityManager,
  column: Column,
  change: string,
  now: Date,
  limit: number,
): Promise<DueConnection[]> {
  const clients = await clientsWithDue(em, column, now, limit);
  if (clients.length === 0) return [];
  const taken = await sql<DueConnection>(
    em,
    `with due as materialized (
       select own.* from unnest($2::uuid[]) as client (uuid) cross join lateral (
         select uuid, ${column} as at, wanted_fetch_trigger as trigger from connection
         where environment_uuid = client.uuid and ${column} <= $1
         order by ${column} limit $3 for update skip locked) own)
     ${change}`,
    [now, clients, Math.max(1, Math.floor(limit / clients.length))],
  );
  return taken.sort((a, b) => a.since - b.since);
}

/** The environments of which something is due, at most `limit`, the one that has waited longest first. */
async function clientsWithDue(em: EntityManager, column: Column, now: Date, limit: number): Promise<string[]> {
  const oldest = await sql<{ uuid: string; count: number }>(
    em,
    `select environment_uuid as uuid, count(*)::int as count from (
       select environment_uuid from connection where ${column} <= $1 order by ${column} limit $2) oldest group by 1`,
    [now, limit + 1],
  );
  if (oldest.reduce((sum, { count }) => sum + count, 0) <= limit) return oldest.map(({ uuid }) => uuid);
  // More is due than one look takes, perhaps all of one client: ask each for its oldest.
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
