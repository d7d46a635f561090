import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { Identity } from '../../identities/identity.entity';
import { holdIdentity } from '../../identities/named-identity';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { usesOAuth } from '../../integrations/shared/oauth/oauth-client';
import { ServerTrust } from '../../integrations/core/server-trust';
import { validateStep1 } from '../../integrations/shared/trust/step1-input';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import { invalid, notFound } from '../../platform/errors/errors';
import type { MigrateConnectionDto } from '../setup/connection.dto';
import type { Connection } from '../state/connection.entity';
import { newConnection } from '../setup/new-connection';
import { RecordChange } from '../state/record-change';
import { scheduledAfter } from '../state/scheduled-after';
import { StartAuthorization } from '../oauth/start-authorization';

interface Migrated {
  readonly connection: Connection;
  readonly authorizationUrl: string | null;
}

/**
 * `POST /v1/connections/migrate` (spec 4.11): stores the credentials without a live check, as a migration must not depend
 * on a provider's bad minute; the first fetch, which follows at once, checks them.
 */
@Injectable()
export class MigrateConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly vault: KeyManager,
    private readonly start: StartAuthorization,
    private readonly record: RecordChange,
    private readonly clock: Clock,
  ) {}

  /** `identity` is the one that the body names, already permitted. */
  async run(caller: Caller, identity: Identity, dto: MigrateConnectionDto): Promise<Migrated> {
    const integration = this.integrations.find(dto.integration_id, caller.isTest);
    if (!integration) throw invalid([{ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' }]);

    const now = this.clock.now();
    const today = now.toISOString().slice(0, 10);
    // rule 4: a given startdate is ignored, the migration's counts.
    const given = { ...dto.fields, ...(integration.supportsStartdate && { startdate: today }) };
    const { values, faults, accepted } = validateStep1(integration, given);
    if (faults.length > 0) throw invalid(faults); // rule 2

    return this.em.fork().transactional(async (em) => {
      if (!(await holdIdentity(em, identity.uuid))) throw notFound('IDENTITY_NOT_FOUND'); // deleted a moment ago
      const connection = newConnection(em, this.vault, { identity, integration, name: dto.name, fields: values, now });
      // Without a live check: the first fetch compares it.
      connection.pins = ServerTrust.of(integration, values, { accepted }).unconfirmedFingerprints;
      if (integration.supportsStartdate) connection.migratedOn = today;
      const environment = await em.findOneOrFail(Environment, identity.environmentUuid);
      if (usesOAuth(integration)) {
        // rule 3: the authorisation is still to come.
        connection.credentialsRejectedAt = now;
        connection.failureReason = 'AUTHORIZATION_PENDING';
      } else if (!integration.step2 || integration.worksWithoutStep2) {
        connection.setUp(now, scheduledAfter(connection, now, environment));
      }
      this.record.run(em, caller, connection, {
        action: 'migrate',
        details: { integration_id: integration.id },
        facts: [{ type: 'connection.created', data: { migrated: true } }],
      });
      // Without an OAuth client nobody can be sent anywhere yet; the hosted UI, or PUT, does it once there is one.
      const canAuthorize = usesOAuth(integration) && this.integrations.isAvailable(integration);
      const authorizationUrl = canAuthorize ? await this.start.run(em, caller, connection, integration) : null;
      return { connection, authorizationUrl };
    });
  }
}
