import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller, CallerRequest } from '../../platform/http/access/access.decorator';
import type { Refusals } from '../../platform/openapi/error-bodies';
import { type ApiError, forbidden, invalid, notFound } from '../../platform/errors/errors';
import type { ConnectionFacts } from '../state/connection-facts';
import { Connection } from '../state/connection.entity';
import { readConnections } from '../state/read-connections';

interface ConnectionRequest extends CallerRequest {
  ownConnection?: ConnectionFacts;
}

/**
 * The only place that answers 404 and 403 for a connection in the path, in the order of decisions 2: shape, existence,
 * ownership, and all of it before the body is looked at.
 */
function guard(malformed: () => ApiError): Type<CanActivate> {
  @Injectable()
  class OwnConnectionGuard implements CanActivate {
    constructor(private readonly em: EntityManager) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<ConnectionRequest>();
      const uuid = request.params.uuid as string;
      if (!isUuid(uuid)) throw malformed();
      const [connection] = await readConnections(this.em, 'where uuid = $1', [uuid]);
      if (!connection) throw notFound('CONNECTION_NOT_FOUND');
      assertOwn(request.caller!, connection);
      request.ownConnection = connection;
      return true;
    }
  }
  return OwnConnectionGuard;
}

/** For endpoints whose table in spec 4 lists 422: a malformed uuid is one. */
export const OwnConnectionGuard = guard(() => invalid([{ field: 'uuid', code: 'INVALID_UUID' }]));

/** For endpoints whose table in spec 4 lists no 422 (`…/information`): a malformed uuid exists nowhere. */
export const OwnConnectionOr404Guard = guard(() => notFound('CONNECTION_NOT_FOUND'));

/** @throws ApiError 403 when the connection is not the caller's (spec 5 rule 5) or not what the token was opened for (decisions 3). */
export function assertOwn(
  caller: Caller,
  connection: Pick<ConnectionFacts, 'uuid' | 'environmentUuid' | 'identityUuid' | 'integrationId'>,
): void {
  const foreign =
    caller.environmentUuid !== connection.environmentUuid ||
    (caller.identityUuid !== null && caller.identityUuid !== connection.identityUuid);
  if (foreign) throw forbidden('NOT_YOUR_CONNECTION');
  const beyondToken =
    (caller.onlyConnectionUuid !== null && caller.onlyConnectionUuid !== connection.uuid) ||
    (caller.onlyIntegrationId !== null && caller.onlyIntegrationId !== connection.integrationId);
  if (beyondToken) throw forbidden('NOT_ALLOWED_BY_TOKEN');
}

/**
 * The connection's row, locked for a change. The lock makes a fetch that records documents at this moment finish its page
 * first, or see the change.
 * @throws ApiError 404 when it has been deleted since it was permitted
 */
export function lockConnection(em: EntityManager, uuid: string): Promise<Connection> {
  return em.findOneOrFail(Connection, uuid, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    failHandler: () => notFound('CONNECTION_NOT_FOUND'),
  });
}

/**
 * All of the connection, for what is more than looking at it.
 * @throws ApiError 404 when it has been deleted since it was permitted
 */
export function wholeConnection(em: EntityManager, uuid: string): Promise<Connection> {
  return em.findOneOrFail(Connection, uuid, { failHandler: () => notFound('CONNECTION_NOT_FOUND') });
}

/** The connection of the path, already permitted. Needs one of the guards above. */
export const OwnConnection = createParamDecorator((_: unknown, context: ExecutionContext): ConnectionFacts => {
  return context.switchToHttp().getRequest<ConnectionRequest>().ownConnection!;
});

/** How the guard refuses, for `@ApiErrors`. */
export const NOT_OWN_CONNECTION: Refusals = {
  403: ['NOT_YOUR_CONNECTION', 'NOT_ALLOWED_BY_TOKEN'],
  404: ['CONNECTION_NOT_FOUND'],
};
