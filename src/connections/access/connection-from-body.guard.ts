import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { bodyMembers } from '../../platform/http/input/json-body';
import { Connection } from '../state/connection.entity';
import { assertOwnConnection } from './own-connection.guard';

/**
 * Checks `connection_uuid` in the body before the rest of the body is validated (decisions 2): 403 if the caller may not
 * access the connection, a field error if it does not exist.
 */
@Injectable()
export class ConnectionFromBodyGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const given = bodyMembers(request.body).connection_uuid;
    if (typeof given !== 'string' || !isUuid(given)) return true; // the validation of the DTO rejects it
    const connection = await this.em.findOne(Connection, given);
    if (connection) assertOwnConnection(request.caller!, connection);
    else (request.faultsInBody ??= []).push({ field: 'connection_uuid', code: 'CONNECTION_NOT_FOUND' });
    return true;
  }
}
