import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import type { CallerRequest } from '../platform/http/access/access.decorator';
import { findWithAccess } from '../platform/http/access/resource';
import { type InvalidField, forbidden, notFound } from '../platform/errors/errors';
import { bodyMembers } from '../platform/http/input/json-body';
import type { Identity } from './identity.entity';
import { IDENTITY } from './identity-resource';

export interface IdentityFromBodyRequest extends CallerRequest {
  /** Set when the body or the token names an existing identity that the caller may access. */
  identityFromBody?: Identity;
}

const IDENTITY_NOT_FOUND: InvalidField = { field: 'identity_uuid', code: 'IDENTITY_NOT_FOUND' };

/**
 * Checks `identity_uuid` in the body before the rest of the body is validated (decisions 2: 404, then 403, then 422). It
 * defaults to the identity of the caller's token; a token may not name another one.
 */
function createGuard(onNotFound: (request: IdentityFromBodyRequest) => void): Type<CanActivate> {
  @Injectable()
  class IdentityFromBodyGuard implements CanActivate {
    constructor(private readonly em: EntityManager) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<IdentityFromBodyRequest>();
      const given = bodyMembers(request.body).identity_uuid ?? request.caller!.identityUuid;
      const identity = await findWithAccess(this.em, IDENTITY, request.caller!, given);
      if (identity === null) onNotFound(request);
      else request.identityFromBody = identity; // undefined: the validation of the DTO rejects it
      return true;
    }
  }
  return IdentityFromBodyGuard;
}

/** For endpoints without 404 in spec 4: an unknown identity is a field error of the body; with a token it is 403. */
export const IdentityFromBodyGuard = createGuard((request) => {
  if (request.caller!.identityUuid !== null) throw forbidden('NOT_YOUR_IDENTITY');
  (request.invalidBodyFields ??= []).push(IDENTITY_NOT_FOUND);
});

/** For endpoints with 404 in spec 4 (migration). */
export const IdentityFromBodyOr404Guard = createGuard(() => {
  throw notFound('IDENTITY_NOT_FOUND');
});

/** Injects the identity that the body or the token names. Requires one of the guards above and a valid body. */
export const IdentityFromBody = createParamDecorator((_: unknown, context: ExecutionContext): Identity => {
  return context.switchToHttp().getRequest<IdentityFromBodyRequest>().identityFromBody!;
});
