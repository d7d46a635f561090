import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../identities/environment.entity';
import { Catalogue } from '../integrations/catalogue';
import type { FieldSpec } from '../integrations/field';
import { validateFields } from '../integrations/validate-fields';
import { Clock } from '../platform/clock';
import { Vault } from '../platform/crypto/vault';
import type { Caller } from '../platform/http/access';
import { invalid, unprocessable } from '../platform/http/errors';
import type { UpdateConnectionDto } from './connection.dto';
import { type Connection, STEP1_SECRETS } from './connection.entity';
import { LiveCall } from './live-call';
import { splitSecrets } from './new-connection';
import { lockConnection, wholeConnection } from './own-connection';
import { type ConnectionFact, RecordChange } from './record-change';
import { scheduledAfter } from './scheduled-after';
import { storedInput } from './stored-input';

/** `PUT /v1/connections/{uuid}` (spec 4.3): the old credentials stay until the new ones have passed (contract 4). */
@Injectable()
export class UpdateConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly catalogue: Catalogue,
    private readonly live: LiveCall,
    private readonly vault: Vault,
    private readonly record: RecordChange,
    private readonly clock: Clock,
  ) {}

  /** Answers the second step's fields when there is one, as it may have to be looked at again. */
  async run(
    caller: Caller,
    { uuid }: Pick<Connection, 'uuid'>,
    dto: UpdateConnectionDto,
  ): Promise<{ connection: Connection; step2Fields: FieldSpec[] | null }> {
    if (dto.fields === undefined) {
      if (dto.name === undefined) throw invalid([{ field: 'fields', code: 'REQUIRED' }]);
      return { connection: await this.save(caller, uuid, { name: dto.name }), step2Fields: null };
    }
    const connection = await wholeConnection(this.em, uuid);
    const integration = this.catalogue.get(connection.integrationId);
    const stored = await storedInput(this.em, this.vault, connection);
    const { values, faults } = validateFields(integration.step1, { ...stored.fields, ...dto.fields });
    if (faults.length > 0) throw invalid(faults);

    // Without the pins: who saves the first step again accepts the server as it is now.
    const input = { fields: values, step2: stored.step2, accountId: connection.accountId };
    const { account, step2Fields, pins } = await this.live.check(integration, input);
    if (connection.accountId != null && connection.accountId !== account.id) throw unprocessable('ACCOUNT_MISMATCH');

    const { settings, secrets } = splitSecrets(integration, values);
    const change = { name: dto.name, settings, secrets, account, pins };
    const updated = await this.save(caller, uuid, change);
    return { connection: updated, step2Fields };
  }

  private async save(
    caller: Caller,
    uuid: string,
    change: {
      name?: string;
      settings?: Record<string, unknown>;
      secrets?: Record<string, unknown>;
      account?: { id: string; display: string };
      pins?: Record<string, string>;
    },
  ): Promise<Connection> {
    return this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const before = connection.status;
      const now = this.clock.now();
      const facts: ConnectionFact[] = [];
      if (change.name !== undefined && change.name !== connection.name) {
        facts.push({ type: 'connection.renamed', data: { from: connection.name, to: change.name } });
      }
      if (change.name !== undefined) connection.name = change.name;
      if (change.settings && change.secrets && change.account) {
        facts.push({ type: 'connection.updated', data: {} });
        const key = await this.vault.key(em, uuid);
        connection.settings = change.settings;
        connection.secrets = this.vault.seal(key, STEP1_SECRETS, change.secrets);
        connection.startFrom((change.settings.startdate as string | undefined) ?? null);
        connection.accountId = change.account.id;
        connection.accountDisplay = change.account.display;
        connection.pins = change.pins ?? null;
        if (connection.credentialsRejectedAt ?? connection.failingSince) {
          const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
          connection.mended(now, scheduledAfter(connection, now, environment));
        }
      }
      connection.updatedAt = now;
      this.record.run(em, caller, connection, {
        action: 'update',
        before,
        details: { fields: Object.keys(change.settings ?? {}), name: change.name !== undefined },
        facts,
      });
      return connection;
    });
  }
}
