import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import type { Connection } from '../../connections/state/connection.entity';
import { sql } from '../../platform/database/sql';
import { Fetch, type FetchTrigger } from '../history/fetch.entity';

/** Queues a fetch of the connection in the caller's transaction. */
export function queueFetch(
  em: EntityManager,
  connection: Pick<Connection, 'uuid' | 'environmentUuid'>,
  trigger: FetchTrigger,
  now: Date,
): Fetch {
  const fetch = em.create(Fetch, {
    uuid: uuid(),
    connectionUuid: connection.uuid,
    environmentUuid: connection.environmentUuid,
    trigger,
    status: 'QUEUED',
    seen: 0,
    new: 0,
    duplicate: 0,
    filtered: 0,
    failed: 0,
    createdAt: now,
  });
  em.persist(fetch);
  return fetch;
}

/** Queues one fetch for each of many connections. */
export async function queueFetches(
  em: EntityManager,
  due: readonly { readonly uuid: string; readonly environment_uuid: string; readonly trigger: FetchTrigger }[],
  now: Date,
): Promise<void> {
  if (due.length === 0) return;
  await sql(
    em,
    `insert into "fetch" (uuid, connection_uuid, environment_uuid, trigger, status, seen, new, duplicate, filtered, failed, created_at)
     select uuid, connection, environment, trigger, 'QUEUED', 0, 0, 0, 0, 0, $5
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as due (uuid, connection, environment, trigger)`,
    [
      due.map(() => uuid()),
      due.map((connection) => connection.uuid),
      due.map((connection) => connection.environment_uuid),
      due.map(({ trigger }) => trigger),
      now,
    ],
  );
}
