import type { EntityManager } from '@mikro-orm/postgresql';
import { nextFetchTime } from '../../connections/state/next-fetch-time';
import { affected } from '../../platform/database/sql';

export interface ScheduledConnection {
  readonly uuid: string;
  readonly fetch_interval_minutes: number;
}

/** Sets the next fetch of many connections, which the caller's transaction has locked, in one statement. */
export function setNextFetchTimes(
  em: EntityManager,
  connections: readonly ScheduledConnection[],
  now: Date,
): Promise<number> {
  return affected(
    em,
    `update connection c set next_fetch_at = given.next
     from unnest($1::uuid[], $2::timestamptz[]) as given (uuid, next) where c.uuid = given.uuid`,
    [connections.map(({ uuid }) => uuid), connections.map((connection) => nextFetchTimeOf(connection, now))],
  );
}

export function nextFetchTimeOf({ uuid, fetch_interval_minutes }: ScheduledConnection, now: Date): Date {
  return nextFetchTime({ uuid }, now, { fetchIntervalMinutes: fetch_interval_minutes });
}
