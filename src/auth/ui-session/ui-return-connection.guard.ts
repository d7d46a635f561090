import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Connection } from '../../connections/state/connection.entity';
import { CONNECTION, connectionOwner } from '../../connections/access/connection-resource';
import { AuditEntry } from '../../platform/audit/audit';
import type { Caller, CallerRequest } from '../../platform/http/access/access.decorator';
import { assertAccess } from '../../platform/http/access/resource';
import { bodyMembers } from '../../platform/http/input/json-body';
import type { ReturnParameters } from '../ui-token/return-url';

/** The connection data of a return URL; empty when no connection is concerned. */
export type AboutConnection = Pick<ReturnParameters, 'connection_uuid' | 'integration_id' | 'status'>;

interface ReturnRequest extends CallerRequest {
  connectionInReturn?: AboutConnection;
}

/**
 * Checks access to the connection in the body of `POST /v1/ui/return`, or to the one of the token, before the rest of the body is
 * validated (decisions 2). Only the action `deleted` permits a connection that no longer exists.
 */
@Injectable()
export class UiReturnConnectionGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ReturnRequest>();
    const caller = request.caller!;
    const { action, connection_uuid: given } = bodyMembers(request.body);
    const uuid = given == null ? caller.onlyConnectionUuid : given;
    if (typeof uuid !== 'string' || !isUuid(uuid)) return true; // absent, or rejected by the DTO
    const connection = await this.em.findOne(Connection, uuid);
    if (connection) {
      assertAccess(CONNECTION, caller, connectionOwner(connection));
      if (action === 'deleted') request.invalidBodyFields = [{ field: 'action', code: 'NOT_DELETED' }];
      request.connectionInReturn = {
        connection_uuid: connection.uuid,
        integration_id: connection.integrationId,
        status: connection.status,
      };
      return true;
    }
    const deleted = action === 'deleted' ? await this.deleted(caller, uuid.toLowerCase()) : null;
    if (deleted) request.connectionInReturn = deleted;
    else if (given != null || action !== 'none') {
      request.invalidBodyFields = [{ field: 'connection_uuid', code: 'CONNECTION_NOT_FOUND' }];
    }
    return true;
  }

  /** Only the audit log still contains the owner of a deleted connection. */
  private async deleted(caller: Caller, uuid: string): Promise<AboutConnection | null> {
    const entry = await this.em.findOne(AuditEntry, { subjectUuid: uuid, action: 'connection.delete' });
    if (!entry?.environmentUuid) return null;
    const { environmentUuid, details } = entry;
    const { identity_uuid: identityUuid, integration_id } = details as {
      identity_uuid: string;
      integration_id: string;
    };
    const owner = { environmentUuid, identityUuid, connectionUuid: uuid, integrationId: integration_id };
    assertAccess(CONNECTION, caller, owner);
    return { connection_uuid: uuid, integration_id };
  }
}

/** The connection data for the return URL, after the access check. Needs {@link UiReturnConnectionGuard} and a valid body. */
export const UiReturnConnection = createParamDecorator((_: unknown, context: ExecutionContext): AboutConnection => {
  return context.switchToHttp().getRequest<ReturnRequest>().connectionInReturn ?? {};
});
