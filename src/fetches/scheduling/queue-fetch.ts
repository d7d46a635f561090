import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import type { Connection } from '../../connections/state/connection.entity';
import { prepared } from '../../platform/database/sql';
import { currentTraceparent } from '../../platform/request/work-scope';
import type { FetchTrigger } from '../history/fetch.entity';

/** Queues a fetch of the connection in the caller's transaction. Returns its uuid. */
export async function queueFetch(
  em: EntityManager,
  connection: Pick<Connection, 'uuid' | 'environmentUuid'>,
  trigger: FetchTrigger,
  now: Date,
): Promise<string> {
  const queued = uuid();
  await prepared(
    em,
    `insert into "fetch" (uuid, connection_uuid, environment_uuid, trigger, status, seen, new, duplicate, filtered, failed, created_at,
       traceparent)
     values ($1, $2, $3, $4, 'QUEUED', 0, 0, 0, 0, 0, $5, $6)`,
    [queued, connection.uuid, connection.environmentUuid, trigger, now, currentTraceparent()],
  );
  return queued;
}
