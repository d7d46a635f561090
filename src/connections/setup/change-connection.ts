import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { OAuthIntegration } from '../../integrations/shared/oauth/registered-client';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import { lockConnection } from '../access/load-connection';
import type { CheckResult } from '../credentials/credential-check';
import { StartAuthorization } from '../oauth/start-authorization';
import { type ConnectionEvent, ConnectionChangeLog } from '../state/connection-change-log';
import type { Connection } from '../state/connection.entity';
import { nextFetchTime } from '../state/next-fetch-time';
import { applyCheckResult } from './apply-check-result';
import { encryptStep1Secrets } from './step1-secrets';

/** New input of the first step. */
interface Step1Change {
  readonly settings: Record<string, unknown>;
  readonly secrets: Record<string, unknown>;
  /** False for the stored input, given once more: it is checked, or authorized, again. */
  readonly isChanged: boolean;
  /** Absent if the user has to authorize first. */
  readonly checked?: CheckResult;
  /** Set if the user has to authorize: an authorization is started. */
  readonly authorize?: OAuthIntegration;
}

interface ChangedConnection {
  readonly connection: Connection;
  readonly authorizationUrl: string | null;
}

/** Stores changes of a connection's name and first step. */
@Injectable()
export class ChangeConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly authorization: StartAuthorization,
    private readonly changes: ConnectionChangeLog,
    private readonly clock: Clock,
  ) {}

  /** What is omitted stays unchanged. Accepted credentials recover a failing connection. */
  async change(
    caller: Caller,
    uuid: string,
    { name, step1 }: { readonly name?: string; readonly step1?: Step1Change },
  ): Promise<ChangedConnection> {
    const dataKey = step1 && (await this.keyManager.key(this.em.fork(), uuid));
    return this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const before = connection.status;
      const now = this.clock.now();
      const events: ConnectionEvent[] = [];
      if (name !== undefined && name !== connection.name) {
        events.push({ type: 'connection.renamed', data: { from: connection.name, to: name } });
        connection.name = name;
      }
      if (step1) {
        if (step1.isChanged) events.push({ type: 'connection.updated', data: {} });
        connection.settings = step1.settings;
        connection.secrets = encryptStep1Secrets(this.keyManager, dataKey!, step1.secrets);
        connection.startFrom((step1.settings.startdate as string | undefined) ?? null);
      }
      if (step1?.checked) await recover(em, connection, step1.checked, now);
      connection.updatedAt = now;
      this.changes.record(em, caller, connection, {
        action: 'update',
        before,
        details: { fields: Object.keys(step1?.settings ?? {}), name: name !== undefined },
        events,
      });
      const authorizationUrl = step1?.authorize
        ? await this.authorization.start(em, caller, { connection, dataKey: dataKey! }, step1.authorize)
        : null;
      return { connection, authorizationUrl };
    });
  }
}

/**
 * The immediate fetch is due at `now`, which is also the time of the change: it starts at `updated_at` or later, whatever the
 * clocks of the workers say.
 */
async function recover(em: EntityManager, connection: Connection, checked: CheckResult, now: Date): Promise<void> {
  applyCheckResult(connection, checked);
  if (!(connection.credentialsRejectedAt ?? connection.failingSince)) return;
  const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
  connection.recovered(now, nextFetchTime(connection, now, environment));
}
