import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller, CallerRequest } from '../platform/http/access/access.decorator';
import type { ErrorCode } from '../platform/errors/error-codes';
import { forbidden, invalid, notFound } from '../platform/errors/errors';
import { Identity } from './identity.entity';

interface IdentityRequest extends CallerRequest {
  identity?: Identity;
}

/** Checks the identity in the path: 422, 404 or 403. Runs before the body is validated (decisions 2). */
@Injectable()
export class OwnIdentityGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<IdentityRequest>();
    const uuid = request.params.identity_uuid as string;
    if (!isUuid(uuid)) throw invalid([{ field: 'identity_uuid', code: 'INVALID_UUID' }]);
    const identity = await this.em.findOne(Identity, uuid);
    if (!identity) throw notFound('IDENTITY_NOT_FOUND');
    if (!isOwnIdentity(request.caller!, identity)) throw forbidden('NOT_YOUR_IDENTITY');
    request.identity = identity;
    return true;
  }
}

/** Rejects a token that is restricted to one connection or integration of the identity (decisions 3). */
@Injectable()
export class UnrestrictedTokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { onlyConnectionUuid, onlyIntegrationId } = context.switchToHttp().getRequest<CallerRequest>().caller!;
    if (onlyConnectionUuid !== null || onlyIntegrationId !== null) throw forbidden('NOT_ALLOWED_BY_TOKEN');
    return true;
  }
}

/** Whether the caller may access the identity (spec 5 rule 5). */
export function isOwnIdentity(caller: Caller, identity: Pick<Identity, 'uuid' | 'environmentUuid'>): boolean {
  if (caller.environmentUuid !== identity.environmentUuid) return false;
  return caller.identityUuid === null || caller.identityUuid === identity.uuid;
}

/** Injects the identity in the path. Requires {@link OwnIdentityGuard}. */
export const OwnIdentity = createParamDecorator((_: unknown, context: ExecutionContext): Identity => {
  return context.switchToHttp().getRequest<IdentityRequest>().identity!;
});

/** Errors of {@link OwnIdentityGuard}, for `@ApiErrors`. */
export const NOT_OWN_IDENTITY: readonly ErrorCode[] = ['VALIDATION_FAILED', 'NOT_YOUR_IDENTITY', 'IDENTITY_NOT_FOUND'];
/** Errors of {@link UnrestrictedTokenGuard}, for `@ApiErrors`. */
export const TOKEN_RESTRICTED: readonly ErrorCode[] = ['NOT_ALLOWED_BY_TOKEN'];
