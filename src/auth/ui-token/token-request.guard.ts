import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Connection } from '../../connections/state/connection.entity';
import { assertOwnConnection } from '../../connections/access/own-connection.guard';
import { Environment } from '../../identities/environments/environment.entity';
import type { IdentityFromBodyRequest } from '../../identities/identity-from-body.guard';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import type { Caller } from '../../platform/http/access/access.decorator';
import { type InvalidField, forbidden } from '../../platform/errors/errors';
import { bodyMembers } from '../../platform/http/input/json-body';
import { MAX_RETURN_URL, RETURN_PARAMETERS, returnUrlFault } from './return-url';

type Body = Readonly<Record<string, unknown>>;

/**
 * Checks that the resources in `POST /token` exist, belong together and belong to the caller (decisions 3). Resources
 * of others are rejected before the body is validated; other errors are reported together with the validation errors
 * (decisions 2). `IdentityFromBodyGuard` checks the identity.
 */
@Injectable()
export class TokenRequestGuard implements CanActivate {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<IdentityFromBodyRequest & { caller: Caller }>();
    const body = bodyMembers(request.body);
    const { caller, identityFromBody: namedIdentity, faultsInBody = [] } = request;
    const connection = await this.connection(body.connection_uuid);
    if (connection) {
      assertOwnConnection(caller, connection);
      const ofAnother = namedIdentity && namedIdentity.uuid !== connection.identityUuid;
      if (ofAnother) throw forbidden('NOT_YOUR_CONNECTION');
    }
    assertNotWider(caller, body);
    const environment = await this.em.findOneOrFail(Environment, caller.environmentUuid);
    request.faultsInBody = [...faultsInBody, ...this.faults(caller, body, environment, connection)];
    return true;
  }

  /** Undefined without a valid uuid; null when the connection does not exist. */
  private async connection(uuid: unknown): Promise<Connection | null | undefined> {
    return typeof uuid === 'string' && isUuid(uuid) ? this.em.findOne(Connection, uuid) : undefined;
  }

  private faults(
    caller: Caller,
    { return_url: returnUrl, integration_id: integrationId }: Body,
    environment: Environment,
    connection: Connection | null | undefined,
  ): InvalidField[] {
    const faults: InvalidField[] = [];
    if (isText(returnUrl, MAX_RETURN_URL)) {
      const wrongUrl = returnUrlFault(returnUrl, environment.returnOrigins);
      if (wrongUrl) {
        const params = { limit: MAX_RETURN_URL, names: [...RETURN_PARAMETERS, 'sig'].join(', ') };
        faults.push({ field: 'return_url', code: wrongUrl, params });
      }
    }
    if (connection === null) faults.push({ field: 'connection_uuid', code: 'CONNECTION_NOT_FOUND' });
    if (isText(integrationId, 64)) {
      if (!this.integrations.find(integrationId, caller.isTest)) {
        faults.push({ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' });
      } else if (connection && connection.integrationId !== integrationId) {
        faults.push({ field: 'integration_id', code: 'INTEGRATION_MISMATCH' });
      }
    }
    return faults;
  }
}

/** Whether a member is well-formed, so that further checks make sense. */
const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxLength;

/** With a key and a restricted token, the new token must not have a wider scope (decisions 3). */
function assertNotWider({ onlyConnectionUuid, onlyIntegrationId }: Caller, body: Body): void {
  const { connection_uuid: connectionUuid, integration_id: integrationId } = body;
  if (onlyConnectionUuid !== null && (connectionUuid as string | undefined)?.toLowerCase?.() !== onlyConnectionUuid) {
    throw forbidden('NOT_ALLOWED_BY_TOKEN');
  }
  if (onlyIntegrationId !== null && connectionUuid == null && integrationId !== onlyIntegrationId) {
    throw forbidden('NOT_ALLOWED_BY_TOKEN');
  }
}
