import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { sql } from '../platform/database/sql';
import type { CallerRequest } from '../platform/http/access/access.decorator';
import { type InvalidField, forbidden, notFound } from '../platform/errors/errors';
import { bodyMembers } from '../platform/http/input/json-body';
import { Identity } from './identity.entity';
import { isOwn } from './own-identity';

export interface NamedIdentityRequest extends CallerRequest {
  /** Set when the body or the token names an identity that exists and is the caller's. */
  namedIdentity?: Identity;
}

const UNKNOWN: InvalidField = { field: 'identity_uuid', code: 'IDENTITY_NOT_FOUND' };

/**
 * Permits the identity that a body names before anything else in the body is looked at (decisions 2: 404, then 403, then
 * 422). A caller with a token need not name it: it is the token's, and any other one is refused.
 */
function guard(unknown: (request: NamedIdentityRequest) => void): Type<CanActivate> {
  @Injectable()
  class NamedIdentityGuard implements CanActivate {
    constructor(private readonly em: EntityManager) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<NamedIdentityRequest>();
      const given = bodyMembers(request.body).identity_uuid ?? request.caller!.identityUuid;
      if (typeof given !== 'string' || !isUuid(given)) return true; // the DTO's to refuse
      const identity = await this.em.findOne(Identity, given);
      if (!identity) unknown(request);
      else if (!isOwn(request.caller!, identity)) throw forbidden('NOT_YOUR_IDENTITY');
      else request.namedIdentity = identity;
      return true;
    }
  }
  return NamedIdentityGuard;
}

/** Where spec 4 lists no 404: an unknown identity is one of the body's faults; for a token it is not its own. */
export const NamedIdentityGuard = guard((request) => {
  if (request.caller!.identityUuid !== null) throw forbidden('NOT_YOUR_IDENTITY');
  (request.faultsInBody ??= []).push(UNKNOWN);
});

/** Where spec 4 lists 404 (migration). */
export const NamedIdentityOr404Guard = guard(() => {
  throw notFound('IDENTITY_NOT_FOUND');
});

/** The identity that the body names, already permitted. Needs one of the guards above and a valid body. */
export const NamedIdentity = createParamDecorator((_: unknown, context: ExecutionContext): Identity => {
  return context.switchToHttp().getRequest<NamedIdentityRequest>().namedIdentity!;
});

/** Keeps an identity from being deleted until the transaction ends. False: it has been deleted since it was permitted. */
export async function holdIdentity(em: EntityManager, uuid: string): Promise<boolean> {
  return (await sql(em, 'select uuid from identity where uuid = $1 for key share', [uuid])).length > 0;
}
