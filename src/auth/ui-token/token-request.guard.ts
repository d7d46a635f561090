import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { CONNECTION } from '../../connections/access/connection-resource';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { Environment } from '../../identities/environments/environment.entity';
import type { IdentityFromBodyRequest } from '../../identities/identity-from-body.guard';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import type { Caller } from '../../platform/http/access/access.decorator';
import { findWithAccess } from '../../platform/http/access/resource';
import { assertWithinTokenScope } from '../../platform/http/access/token-scope';
import { type InvalidField, forbidden } from '../../platform/errors/errors';
import { bodyMembers } from '../../platform/http/input/json-body';
import { MAX_RETURN_URL, RETURN_PARAMETERS, findReturnUrlProblem } from './return-url';

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
    const { caller, identityFromBody: namedIdentity, invalidBodyFields = [] } = request;
    const connection = await findWithAccess(this.em, CONNECTION, caller, body.connection_uuid);
    const isOfOther = connection && namedIdentity && namedIdentity.uuid !== connection.identityUuid;
    if (isOfOther) throw forbidden('NOT_YOUR_CONNECTION');
    assertNotWider(caller, body);
    const environment = await this.em.findOneOrFail(Environment, caller.environmentUuid);
    request.invalidBodyFields = [...invalidBodyFields, ...this.invalidFields(caller, body, environment, connection)];
    return true;
  }

  private invalidFields(
    caller: Caller,
    { return_url: returnUrl, integration_id: integrationId }: Body,
    environment: Environment,
    connection: ConnectionRecord | null | undefined,
  ): InvalidField[] {
    const invalidFields: InvalidField[] = [];
    if (isText(returnUrl, MAX_RETURN_URL)) {
      const wrongUrl = findReturnUrlProblem(returnUrl, environment.returnOrigins);
      if (wrongUrl) {
        const params = { limit: MAX_RETURN_URL, names: [...RETURN_PARAMETERS, 'sig'].join(', ') };
        invalidFields.push({ field: 'return_url', code: wrongUrl, params });
      }
    }
    if (connection === null) invalidFields.push({ field: 'connection_uuid', code: 'CONNECTION_NOT_FOUND' });
    if (isText(integrationId, 64)) {
      if (!this.integrations.find(integrationId, caller.isTest)) {
        invalidFields.push({ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' });
      } else if (connection && connection.integrationId !== integrationId) {
        invalidFields.push({ field: 'integration_id', code: 'INTEGRATION_MISMATCH' });
      }
    }
    return invalidFields;
  }
}

/** Whether a member is well-formed, so that further checks make sense. */
const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxLength;

/** With a key and a restricted token, the new token must not have a wider scope (decisions 3). */
function assertNotWider(caller: Caller, { connection_uuid: connection, integration_id: integration }: Body): void {
  assertWithinTokenScope(caller, {
    connectionUuid: typeof connection === 'string' ? connection.toLowerCase() : null,
    // A connection determines the integration.
    integrationId: connection != null ? undefined : typeof integration === 'string' ? integration : null,
  });
}
