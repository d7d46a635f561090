import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { notFound } from '../../platform/errors/errors';
import { Connection } from '../state/connection.entity';

/**
 * Loads and locks the connection for a change. A fetch that commits a page at the same time either finishes first or sees the
 * change.
 * @throws ApiError 404 if it was deleted after the guard has read it
 */
export function lockConnection(em: EntityManager, uuid: string): Promise<Connection> {
  return em.findOneOrFail(Connection, uuid, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    failHandler: () => notFound('CONNECTION_NOT_FOUND'),
  });
}

/**
 * Loads the entity, for callers that need more than the columns of `ConnectionRecord`.
 * @throws ApiError 404 if it was deleted after the guard has read it
 */
export function loadConnection(em: EntityManager, uuid: string): Promise<Connection> {
  return em.findOneOrFail(Connection, uuid, { failHandler: () => notFound('CONNECTION_NOT_FOUND') });
}
