import { Injectable } from '@nestjs/common';
import type { Identity } from '../../identities/identity.entity';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { usesOAuth } from '../../integrations/shared/oauth/registered-client';
import { ServerTrust } from '../../integrations/core/server-trust';
import { validateStep1 } from '../../integrations/shared/trust/step1-input';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { invalid, notFound } from '../../platform/errors/errors';
import type { MigrateConnectionDto } from '../setup/connection.dto';
import { StoreConnection } from '../setup/store-connection';
import type { Connection } from '../state/connection.entity';

interface MigratedConnection {
  readonly connection: Connection;
  readonly authorizationUrl: string | null;
}

/**
 * `POST /v1/connections/migrate` (spec 4.11): stores the credentials without a live check, because a migration must not
 * depend on the availability of the provider. The first fetch, which starts immediately, checks them.
 */
@Injectable()
export class MigrateConnection {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly storeConnection: StoreConnection,
    private readonly clock: Clock,
  ) {}

  /** `identity` is the identity in the body, checked by the guard. */
  async migrate(caller: Caller, identity: Identity, dto: MigrateConnectionDto): Promise<MigratedConnection> {
    const integration = this.integrations.find(dto.integration_id, caller.isTest);
    if (!integration) throw invalid([{ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' }]);

    const today = this.clock.now().toISOString().slice(0, 10);
    // rule 4: the day of the migration replaces a given startdate.
    const given = { ...dto.fields, ...(integration.supportsStartdate && { startdate: today }) };
    const { values: fields, invalidFields, accepted } = validateStep1(integration, given);
    if (invalidFields.length > 0) throw invalid(invalidFields); // rule 2

    const initialize = (connection: Connection, now: Date, next: Date) => {
      // There is no live check: the first fetch compares the fingerprint.
      connection.trustedFingerprints = ServerTrust.of(integration, fields, { accepted }).unconfirmedFingerprints;
      if (integration.supportsStartdate) connection.migratedOn = today;
      if (usesOAuth(integration)) {
        // rule 3: the authorization is still missing.
        connection.credentialsRejectedAt = now;
        connection.failureReason = 'AUTHORIZATION_PENDING';
      } else if (!integration.step2 || integration.worksWithoutStep2) {
        connection.completeSetup(now, next);
      }
    };
    return this.storeConnection.store(
      caller,
      { identity, integration, name: dto.name, fields },
      {
        action: 'migrate',
        initialize,
        // Without an OAuth client there is no address yet; the hosted UI, or PUT, starts the authorization once there is one.
        canAuthorize: this.integrations.isAvailable(integration),
        identityDeleted: () => notFound('IDENTITY_NOT_FOUND'),
      },
    );
  }
}
