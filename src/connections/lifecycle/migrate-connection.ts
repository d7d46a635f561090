import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { Identity } from '../../identities/identity.entity';
import { lockIdentityForShare } from '../../identities/lock-identity';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { usesOAuth } from '../../integrations/shared/oauth/registered-client';
import { ServerTrust } from '../../integrations/core/server-trust';
import { validateStep1 } from '../../integrations/shared/trust/step1-input';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { invalid, notFound } from '../../platform/errors/errors';
import type { MigrateConnectionDto } from '../setup/connection.dto';
import type { Connection } from '../state/connection.entity';
import { ConnectionBuilder } from '../setup/build-connection';
import { ConnectionChangeLog } from '../state/connection-change-log';
import { nextFetchTime } from '../state/next-fetch-time';
import { StartAuthorization } from '../oauth/start-authorization';

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
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly builder: ConnectionBuilder,
    private readonly authorization: StartAuthorization,
    private readonly changes: ConnectionChangeLog,
    private readonly clock: Clock,
  ) {}

  /** `identity` is the identity in the body, checked by the guard. */
  async migrate(caller: Caller, identity: Identity, dto: MigrateConnectionDto): Promise<MigratedConnection> {
    const integration = this.integrations.find(dto.integration_id, caller.isTest);
    if (!integration) throw invalid([{ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' }]);

    const now = this.clock.now();
    const today = now.toISOString().slice(0, 10);
    // rule 4: the day of the migration replaces a given startdate.
    const given = { ...dto.fields, ...(integration.supportsStartdate && { startdate: today }) };
    const { values, invalidFields, accepted } = validateStep1(integration, given);
    if (invalidFields.length > 0) throw invalid(invalidFields); // rule 2

    return this.em.fork().transactional(async (em) => {
      if (!(await lockIdentityForShare(em, identity.uuid))) throw notFound('IDENTITY_NOT_FOUND'); // deleted after the guard has read it
      const connection = await this.builder.build(em, {
        identity,
        integration,
        name: dto.name,
        fields: values,
        now,
      });
      // There is no live check: the first fetch compares the fingerprint.
      connection.trustedFingerprints = ServerTrust.of(integration, values, { accepted }).unconfirmedFingerprints;
      if (integration.supportsStartdate) connection.migratedOn = today;
      const environment = await em.findOneOrFail(Environment, identity.environmentUuid);
      if (usesOAuth(integration)) {
        // rule 3: the authorization is still missing.
        connection.credentialsRejectedAt = now;
        connection.failureReason = 'AUTHORIZATION_PENDING';
      } else if (!integration.step2 || integration.worksWithoutStep2) {
        connection.completeSetup(now, nextFetchTime(connection, now, environment));
      }
      this.changes.record(em, caller, connection, {
        action: 'migrate',
        details: { integration_id: integration.id },
        events: [{ type: 'connection.created', data: { migrated: true } }],
      });
      // Without an OAuth client there is no address yet; the hosted UI, or PUT, starts the authorization once there is one.
      const canAuthorize = usesOAuth(integration) && this.integrations.isAvailable(integration);
      const authorizationUrl = canAuthorize
        ? await this.authorization.start(em, caller, connection, integration)
        : null;
      return { connection, authorizationUrl };
    });
  }
}
