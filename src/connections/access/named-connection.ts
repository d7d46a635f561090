import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { bodyMembers } from '../../platform/http/input/json-body';
import { Connection } from '../state/connection.entity';
import { assertOwn } from './own-connection';

/**
 * Permits the connection that a body names as `connection_uuid` before anything else in it is looked at (decisions 2): one
 * of somebody else's is 403, one that does not exist a fault of the body.
 */
@Injectable()
export class NamedConnectionGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const given = bodyMembers(request.body).connection_uuid;
    if (typeof given !== 'string' || !isUuid(given)) return true; // the DTO's to refuse
    const connection = await this.em.findOne(Connection, given);
    if (connection) assertOwn(request.caller!, connection);
    else (request.faultsInBody ??= []).push({ field: 'connection_uuid', code: 'CONNECTION_NOT_FOUND' });
    return true;
  }
}
