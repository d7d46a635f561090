import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { OAuthIntegration } from '../../integrations/shared/oauth/oauth-client';
import type { TrustedFingerprints } from '../../integrations/core/server-trust';
import type { AccountInfo } from '../../integrations/core/source-document';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import { type Connection, STEP1_SECRETS } from '../state/connection.entity';
import { lockConnection } from '../access/own-connection';
import { type ConnectionFact, RecordChange } from '../state/record-change';
import { scheduledAfter } from '../state/scheduled-after';
import { StartAuthorization } from '../oauth/start-authorization';

/** What is new about a connection. */
interface Change {
  readonly name?: string;
  readonly settings?: Record<string, unknown>;
  readonly secrets?: Record<string, unknown>;
  /** What the live check has found out; absent when the user has to authorise first. */
  readonly checked?: { readonly account: AccountInfo; readonly pins: TrustedFingerprints };
  /** The user has to authorise: the way there is begun. */
  readonly authorize?: OAuthIntegration;
}

/** Keeps a change of the first step or of the name; credentials that have passed mend the connection. */
@Injectable()
export class SaveConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly start: StartAuthorization,
    private readonly record: RecordChange,
    private readonly clock: Clock,
  ) {}

  async run(
    caller: Caller,
    uuid: string,
    change: Change,
  ): Promise<{ connection: Connection; authorizationUrl: string | null }> {
    return this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const before = connection.status;
      const facts: ConnectionFact[] = [];
      if (change.name !== undefined && change.name !== connection.name) {
        facts.push({ type: 'connection.renamed', data: { from: connection.name, to: change.name } });
      }
      if (change.name !== undefined) connection.name = change.name;
      if (change.settings && change.secrets) {
        facts.push({ type: 'connection.updated', data: {} });
        const key = await this.vault.key(em, uuid);
        connection.settings = change.settings;
        connection.secrets = this.vault.encrypt(key, STEP1_SECRETS, change.secrets);
        connection.startFrom((change.settings.startdate as string | undefined) ?? null);
      }
      if (change.checked) await this.mend(em, connection, change.checked);
      connection.updatedAt = this.clock.now();
      this.record.run(em, caller, connection, {
        action: 'update',
        before,
        details: { fields: Object.keys(change.settings ?? {}), name: change.name !== undefined },
        facts,
      });
      const authorizationUrl = change.authorize ? await this.start.run(em, caller, connection, change.authorize) : null;
      return { connection, authorizationUrl };
    });
  }

  private async mend(
    em: EntityManager,
    connection: Connection,
    { account, pins }: NonNullable<Change['checked']>,
  ): Promise<void> {
    connection.accountId = account.id;
    connection.accountDisplay = account.display;
    connection.pins = pins;
    if (!connection.credentialsRejectedAt && !connection.failingSince) return;
    const now = this.clock.now();
    const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
    connection.mended(now, scheduledAfter(connection, now, environment));
  }
}
