import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import type { Connection } from '../../connections/state/connection.entity';
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
