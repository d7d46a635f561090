import type { Client } from 'pg';

/** Fetches that one statement adds for each connection: two hours of a day. */
const HOURS_AT_ONCE = 2;
const DAY_HOURS = 24;

/**
 * Adds the history of the last 24 hours: for each connection and hour a fetch that has found nothing, and its event, which has been
 * dispatched. Returns the number of fetches.
 */
export async function addDayOfHistory(database: Client): Promise<number> {
  let fetches = 0;
  for (let hour = 0; hour < DAY_HOURS; hour += HOURS_AT_ONCE) {
    await database.query('begin');
    await database.query(
      `create temporary table ended on commit drop as
       select uuidv7(- shift) as uuid, c.uuid as connection_uuid, c.environment_uuid, e.retention_class, now() - shift as at
       from connection c join environment e on e.uuid = c.environment_uuid, generate_series($1::int, $2::int) hour,
         lateral (select (hour + random()) * interval '1 hour' as shift offset 0) shifted
       where c.next_fetch_at is not null
       order by 1`,
      [hour, hour + HOURS_AT_ONCE - 1],
    );
    const { rowCount } = await database.query(
      `insert into "fetch" (uuid, environment_uuid, retention_class, connection_uuid, trigger, status, seen, new, duplicate, filtered,
         failed, created_at, started_at, finished_at)
       select uuid, environment_uuid, retention_class, connection_uuid, 'SCHEDULED', 'SUCCEEDED', 0, 0, 0, 0, 0, at, at, at from ended`,
    );
    await database.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, position, created_at, dispatched_at)
       select uuidv7(at - now()), environment_uuid, retention_class, connection_uuid, 'fetch.finished',
         jsonb_build_object('fetch_uuid', uuid, 'status', 'SUCCEEDED', 'error', null), nextval('outbox_position_seq'), at, at from ended`,
    );
    await database.query('commit');
    fetches += rowCount ?? 0;
  }
  return fetches;
}
