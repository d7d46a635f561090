import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { Identity } from '../../identities/identity.entity';
import { holdIdentity } from '../../identities/named-identity';
import type { FieldSpec } from '../../integrations/core/field';
import type { Integration } from '../../integrations/core/integration';
import { usesOAuth } from '../../integrations/shared/oauth/oauth-client';
import type { TrustedFingerprints } from '../../integrations/core/server-trust';
import type { AccountInfo } from '../../integrations/core/source-document';
import type { FieldInput } from '../../integrations/core/validate-fields';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import { invalid, unauthorized } from '../../platform/errors/errors';
import type { Connection } from '../state/connection.entity';
import { newConnection } from './new-connection';
import { RecordChange } from '../state/record-change';
import { scheduledAfter } from '../state/scheduled-after';
import { StartAuthorization } from '../oauth/start-authorization';

/** What a live check has found out; there is none before the user has authorised us. */
interface Checked {
  readonly account: AccountInfo;
  readonly step2Fields: FieldSpec[] | null;
  readonly pins: TrustedFingerprints;
}

/** Keeps a new connection: one whose credentials have passed, or one that the user has still to authorise. */
@Injectable()
export class InsertConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly start: StartAuthorization,
    private readonly record: RecordChange,
    private readonly clock: Clock,
  ) {}

  async run(
    caller: Caller,
    given: { identity: Identity; integration: Integration; name: string; fields: FieldInput },
    checked: Checked | null,
  ): Promise<{ connection: Connection; authorizationUrl: string | null }> {
    const { identity, integration } = given;
    return this.em.fork().transactional(async (em) => {
      if (!(await holdIdentity(em, identity.uuid))) throw deletedMeanwhile(caller);
      const now = this.clock.now();
      const connection = newConnection(em, this.vault, { ...given, now });
      if (checked) {
        connection.accountId = checked.account.id;
        connection.accountDisplay = checked.account.display;
        connection.pins = checked.pins;
        if (!checked.step2Fields) {
          const environment = await em.findOneOrFail(Environment, identity.environmentUuid);
          connection.setUp(now, scheduledAfter(connection, now, environment));
        }
      } else {
        connection.awaitAuthorization(now);
      }
      this.record.run(em, caller, connection, {
        action: 'create',
        details: { integration_id: integration.id },
        facts: [{ type: 'connection.created', data: { migrated: false } }],
      });
      const authorizationUrl = usesOAuth(integration)
        ? await this.start.run(em, caller, connection, integration)
        : null;
      return { connection, authorizationUrl };
    });
  }
}

/** The identity has gone since it was permitted, and its tokens with it. */
function deletedMeanwhile(caller: Caller) {
  if (caller.identityUuid !== null) return unauthorized('INVALID_TOKEN');
  return invalid([{ field: 'identity_uuid', code: 'IDENTITY_NOT_FOUND' }]);
}
