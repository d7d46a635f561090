import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller, CallerRequest } from '../../platform/http/access/access.decorator';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { type ApiError, forbidden, invalid, notFound } from '../../platform/errors/errors';
import type { ConnectionRecord } from '../state/connection-record';
import { readConnections } from '../state/read-connections';

interface ConnectionRequest extends CallerRequest {
  ownConnection?: ConnectionRecord;
}

/**
 * Checks the connection in the path, in the order of decisions 2: format of the uuid, existence (404), ownership (403).
 * Runs before the body is validated.
 */
function createGuard(malformed: () => ApiError): Type<CanActivate> {
  @Injectable()
  class OwnConnectionGuard implements CanActivate {
    constructor(private readonly em: EntityManager) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<ConnectionRequest>();
      const uuid = request.params.uuid as string;
      if (!isUuid(uuid)) throw malformed();
      const [connection] = await readConnections(this.em, 'where uuid = $1', [uuid]);
      if (!connection) throw notFound('CONNECTION_NOT_FOUND');
      assertOwnConnection(request.caller!, connection);
      request.ownConnection = connection;
      return true;
    }
  }
  return OwnConnectionGuard;
}

/** For endpoints with 422 in spec 4: a malformed uuid is 422. */
export const OwnConnectionGuard = createGuard(() => invalid([{ field: 'uuid', code: 'INVALID_UUID' }]));

/** For endpoints without 422 in spec 4 (`…/information`): a malformed uuid is 404. */
export const OwnConnectionOr404Guard = createGuard(() => notFound('CONNECTION_NOT_FOUND'));

/** @throws ApiError 403 when the connection belongs to another caller (spec 5 rule 5) or is outside the scope of the token (decisions 3) */
export function assertOwnConnection(
  caller: Caller,
  connection: Pick<ConnectionRecord, 'uuid' | 'environmentUuid' | 'identityUuid' | 'integrationId'>,
): void {
  const isForeign =
    caller.environmentUuid !== connection.environmentUuid ||
    (caller.identityUuid !== null && caller.identityUuid !== connection.identityUuid);
  if (isForeign) throw forbidden('NOT_YOUR_CONNECTION');
  const isOutsideTokenScope =
    (caller.onlyConnectionUuid !== null && caller.onlyConnectionUuid !== connection.uuid) ||
    (caller.onlyIntegrationId !== null && caller.onlyIntegrationId !== connection.integrationId);
  if (isOutsideTokenScope) throw forbidden('NOT_ALLOWED_BY_TOKEN');
}

/** Injects the connection in the path. Requires one of the guards above. */
export const OwnConnection = createParamDecorator((_: unknown, context: ExecutionContext): ConnectionRecord => {
  return context.switchToHttp().getRequest<ConnectionRequest>().ownConnection!;
});

/** Errors of the guards, for `@ApiErrors`. */
export const NOT_OWN_CONNECTION: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'NOT_YOUR_CONNECTION',
  'NOT_ALLOWED_BY_TOKEN',
  'CONNECTION_NOT_FOUND',
];
