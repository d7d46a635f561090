import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../identities/environment.entity';
import { Identity } from '../identities/identity.entity';
import { Catalogue } from '../integrations/catalogue';
import type { FieldSpec } from '../integrations/field';
import type { Integration } from '../integrations/integration';
import { validateFields } from '../integrations/validate-fields';
import { Clock } from '../platform/clock';
import { Vault } from '../platform/crypto/vault';
import type { Caller } from '../platform/http/access';
import { forbidden, invalid, unprocessable } from '../platform/http/errors';
import type { CreateConnectionDto } from './connection.dto';
import type { Connection } from './connection.entity';
import { LiveCall } from './live-call';
import { newConnection } from './new-connection';
import { RecordChange } from './record-change';
import { scheduledAfter } from './scheduled-after';

/** `POST /v1/connections` (spec 4.2): checks the credentials live, and keeps nothing unless they pass (contract 4). */
@Injectable()
export class CreateConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly catalogue: Catalogue,
    private readonly live: LiveCall,
    private readonly vault: Vault,
    private readonly record: RecordChange,
    private readonly clock: Clock,
  ) {}

  async run(
    caller: Caller,
    dto: CreateConnectionDto,
  ): Promise<{ connection: Connection; step2Fields: FieldSpec[] | null }> {
    const identity = await this.identity(caller, dto.identity_uuid ?? undefined);
    const integration = this.integration(caller, dto.integration_id);
    const { values, faults } = validateFields(integration.step1, dto.fields);
    if (faults.length > 0) throw invalid(faults);

    const { account, step2Fields } = await this.live.check(integration, { fields: values, step2: {} });

    const connection = await this.em.fork().transactional(async (em) => {
      const now = this.clock.now();
      const created = newConnection(em, this.vault, { identity, integration, name: dto.name, fields: values, now });
      created.accountId = account.id;
      created.accountDisplay = account.display;
      if (!step2Fields) {
        const environment = await em.findOneOrFail(Environment, identity.environmentUuid);
        created.setUp(now, scheduledAfter(now, environment));
      }
      this.record.run(em, caller, created, { action: 'create', details: { integration_id: integration.id } });
      return created;
    });
    return { connection, step2Fields };
  }

  /** spec 4.2: required with a key; with a token it is the token's, and another one is refused (contract 4). */
  private async identity(caller: Caller, given: string | undefined): Promise<Identity> {
    if (caller.identityUuid !== null) {
      if (given !== undefined && given.toLowerCase() !== caller.identityUuid) throw forbidden('NOT_YOUR_IDENTITY');
      if (caller.onlyConnectionUuid !== null) throw forbidden('NOT_ALLOWED_BY_TOKEN');
      return this.em.findOneOrFail(Identity, caller.identityUuid);
    }
    if (given === undefined) throw invalid([{ field: 'identity_uuid', code: 'REQUIRED' }]);
    const identity = await this.em.findOne(Identity, given);
    if (!identity) throw invalid([{ field: 'identity_uuid', code: 'IDENTITY_NOT_FOUND' }]);
    if (identity.environmentUuid !== caller.environmentUuid) throw forbidden('NOT_YOUR_IDENTITY');
    return identity;
  }

  private integration(caller: Caller, id: string): Integration {
    const integration = this.catalogue.find(id, caller.isTest);
    if (!integration) throw invalid([{ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' }]);
    if (caller.onlyIntegrationId !== null && caller.onlyIntegrationId !== id) throw forbidden('NOT_ALLOWED_BY_TOKEN');
    if (integration.authType === 'OAUTH2') throw unprocessable('INTEGRATION_NOT_AVAILABLE');
    return integration;
  }
}
