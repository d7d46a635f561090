import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { findWithAccess } from '../../platform/http/access/resource';
import { bodyMembers } from '../../platform/http/input/json-body';
import { CONNECTION } from './connection-resource';

/**
 * Checks `connection_uuid` in the body before the rest of the body is validated (decisions 2): 403 if the caller may not
 * access the connection, a field error if it does not exist. The validation of the DTO rejects a malformed uuid.
 */
@Injectable()
export class ConnectionFromBodyGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { connection_uuid: given } = bodyMembers(request.body);
    const connection = await findWithAccess(this.em, CONNECTION, request.caller!, given);
    if (connection === null) {
      (request.invalidBodyFields ??= []).push({ field: 'connection_uuid', code: 'CONNECTION_NOT_FOUND' });
    }
    return true;
  }
}
