import type { Client } from 'pg';

/**
 * Adds the history of the last hours: for each connection and hour a fetch that has found nothing, and its event, which has been
 * dispatched. Within an hour they are in the order of the connections: in a random order, each row would change other pages of the
 * indexes, and the write-ahead log would contain an image of each page. Returns the number of fetches.
 */
export async function addHistory(database: Client, hours: number): Promise<number> {
  let fetches = 0;
  for (let hour = 0; hour < hours; hour++) {
    await database.query('begin');
    await database.query(
      `create temporary table ended on commit drop as
       select uuidv7(- shift) as uuid, c.uuid as connection_uuid, c.environment_uuid, e.retention_class, now() - shift as at
       from (select uuid, environment_uuid,
           ($1::int + 1 - percent_rank() over (order by environment_uuid, uuid)) * interval '1 hour' as shift from connection
         where next_fetch_at is not null) c
       join environment e on e.uuid = c.environment_uuid
       order by 1`,
      [hour],
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
