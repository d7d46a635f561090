import { Injectable } from '@nestjs/common';
import type { Identity } from '../../identities/identity.entity';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import type { FieldSpec } from '../../integrations/core/field';
import type { Integration } from '../../integrations/core/integration';
import { usesOAuth } from '../../integrations/shared/oauth/registered-client';
import { validateStep1 } from '../../integrations/shared/trust/step1-input';
import type { Caller } from '../../platform/http/access/access.decorator';
import { invalid, unauthorized, unprocessable } from '../../platform/errors/errors';
import type { CreateConnectionDto } from '../setup/connection.dto';
import type { Connection } from '../state/connection.entity';
import { applyCheckResult } from '../setup/apply-check-result';
import { StoreConnection } from '../setup/store-connection';
import { CredentialCheck } from '../credentials/credential-check';

/**
 * `POST /v1/connections` (spec 4.2): checks the credentials with the provider and stores nothing unless they are accepted
 * (decisions 4). With OAuth, there are none yet: the connection stays `PENDING` until the user has authorized us.
 */
@Injectable()
export class CreateConnection {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly credentials: CredentialCheck,
    private readonly storeConnection: StoreConnection,
  ) {}

  /** `identity` is the identity in the body or token, checked by the guard. */
  async create(
    caller: Caller,
    identity: Identity,
    dto: CreateConnectionDto,
  ): Promise<{ connection: Connection; step2Fields: FieldSpec[] | null; authorizationUrl: string | null }> {
    const integration = this.integration(caller, dto.integration_id);
    const { values: fields, invalidFields, accepted } = validateStep1(integration, dto.fields);
    if (invalidFields.length > 0) throw invalid(invalidFields);
    const checked = usesOAuth(integration)
      ? null
      : await this.credentials.check(integration, { fields, step2: {}, accepted });
    const initialize = (connection: Connection, now: Date, next: Date) => {
      if (!checked) return connection.awaitAuthorization(now);
      applyCheckResult(connection, checked);
      if (!checked.step2Fields) connection.completeSetup(now, next);
    };
    const stored = await this.storeConnection.store(
      caller,
      { identity, integration, name: dto.name, fields },
      { action: 'create', initialize, canAuthorize: true, identityDeleted: () => identityDeleted(caller) },
    );
    return { ...stored, step2Fields: checked?.step2Fields ?? null };
  }

  private integration(caller: Caller, id: string): Integration {
    const integration = this.integrations.find(id, caller.isTest);
    if (!integration) throw invalid([{ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' }]);
    if (!this.integrations.isAvailable(integration)) throw unprocessable('INTEGRATION_NOT_AVAILABLE');
    return integration;
  }
}

/** The tokens of a deleted identity are deleted with it. */
function identityDeleted(caller: Caller) {
  if (caller.identityUuid !== null) return unauthorized('INVALID_TOKEN');
  return invalid([{ field: 'identity_uuid', code: 'IDENTITY_NOT_FOUND' }]);
}
