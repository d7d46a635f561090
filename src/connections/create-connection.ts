import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../identities/environment.entity';
import type { Identity } from '../identities/identity.entity';
import { holdIdentity } from '../identities/named-identity';
import { Catalogue } from '../integrations/catalogue';
import type { FieldSpec } from '../integrations/field';
import type { Integration } from '../integrations/integration';
import { validateFields } from '../integrations/validate-fields';
import { Clock } from '../platform/clock';
import { Vault } from '../platform/crypto/vault';
import type { Caller } from '../platform/http/access';
import { invalid, unauthorized, unprocessable } from '../platform/http/errors';
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

  /** `identity` is the one that the body or the token names, already permitted. */
  async run(
    caller: Caller,
    identity: Identity,
    dto: CreateConnectionDto,
  ): Promise<{ connection: Connection; step2Fields: FieldSpec[] | null }> {
    const integration = this.integration(caller, dto.integration_id);
    const { values, faults } = validateFields(integration.step1, dto.fields);
    if (faults.length > 0) throw invalid(faults);

    const { account, step2Fields, pins } = await this.live.check(integration, { fields: values, step2: {} });

    const connection = await this.em.fork().transactional(async (em) => {
      if (!(await holdIdentity(em, identity.uuid))) throw deletedMeanwhile(caller);
      const now = this.clock.now();
      const created = newConnection(em, this.vault, { identity, integration, name: dto.name, fields: values, now });
      created.accountId = account.id;
      created.accountDisplay = account.display;
      created.pins = pins;
      if (!step2Fields) {
        const environment = await em.findOneOrFail(Environment, identity.environmentUuid);
        created.setUp(now, scheduledAfter(created, now, environment));
      }
      this.record.run(em, caller, created, {
        action: 'create',
        details: { integration_id: integration.id },
        facts: [{ type: 'connection.created', data: { migrated: false } }],
      });
      return created;
    });
    return { connection, step2Fields };
  }

  private integration(caller: Caller, id: string): Integration {
    const integration = this.catalogue.find(id, caller.isTest);
    if (!integration) throw invalid([{ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' }]);
    if (integration.authType === 'OAUTH2') throw unprocessable('INTEGRATION_NOT_AVAILABLE');
    return integration;
  }
}

/** The identity has gone since it was permitted, and its tokens with it. */
function deletedMeanwhile(caller: Caller) {
  if (caller.identityUuid !== null) return unauthorized('INVALID_TOKEN');
  return invalid([{ field: 'identity_uuid', code: 'IDENTITY_NOT_FOUND' }]);
}
