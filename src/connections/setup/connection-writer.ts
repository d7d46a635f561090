import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { Identity } from '../../identities/identity.entity';
import { lockIdentityForShare } from '../../identities/lock-identity';
import type { FieldSpec } from '../../integrations/core/field';
import type { Integration } from '../../integrations/core/integration';
import { type OAuthIntegration, usesOAuth } from '../../integrations/shared/oauth/registered-client';
import type { TrustedFingerprints } from '../../integrations/core/server-trust';
import type { AccountInfo } from '../../integrations/core/source-document';
import type { FieldInput } from '../../integrations/core/validate-fields';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import { invalid, unauthorized } from '../../platform/errors/errors';
import { lockConnection } from '../access/load-connection';
import { StartAuthorization } from '../oauth/start-authorization';
import { type ConnectionEvent, ConnectionChangeLog } from '../state/connection-change-log';
import type { Connection } from '../state/connection.entity';
import { encryptStep1Secrets } from './step1-secrets';
import { nextFetchTime } from '../state/next-fetch-time';
import { ConnectionBuilder } from './build-connection';

/** The result of a live check. */
interface CheckResult {
  readonly account: AccountInfo;
  readonly trustedFingerprints: TrustedFingerprints;
}

/** Changes to a connection; omitted members stay unchanged. */
interface ConnectionUpdate {
  readonly name?: string;
  readonly settings?: Record<string, unknown>;
  readonly secrets?: Record<string, unknown>;
  /** Absent if the user has to authorize first. */
  readonly checked?: CheckResult;
  /** Set if the user has to authorize: an authorization is started. */
  readonly authorize?: OAuthIntegration;
}

interface WrittenConnection {
  readonly connection: Connection;
  readonly authorizationUrl: string | null;
}

/** Stores a new connection, or changes of its first step or name. */
@Injectable()
export class ConnectionWriter {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly authorization: StartAuthorization,
    private readonly changes: ConnectionChangeLog,
    private readonly clock: Clock,
    private readonly builder: ConnectionBuilder,
  ) {}

  /** `checked` is null if there are no credentials before the user has authorized us. */
  async create(
    caller: Caller,
    given: { identity: Identity; integration: Integration; name: string; fields: FieldInput },
    checked: (CheckResult & { readonly step2Fields: FieldSpec[] | null }) | null,
  ): Promise<WrittenConnection> {
    const { identity, integration } = given;
    return this.em.fork().transactional(async (em) => {
      if (!(await lockIdentityForShare(em, identity.uuid))) throw identityDeleted(caller);
      const now = this.clock.now();
      const connection = await this.builder.build(em, { ...given, now });
      if (checked) {
        applyCheckResult(connection, checked);
        if (!checked.step2Fields) connection.completeSetup(now, await this.nextFetch(em, connection, now));
      } else {
        connection.awaitAuthorization(now);
      }
      this.changes.record(em, caller, connection, {
        action: 'create',
        details: { integration_id: integration.id },
        events: [{ type: 'connection.created', data: { migrated: false } }],
      });
      const authorizationUrl = usesOAuth(integration)
        ? await this.authorization.start(em, caller, connection, integration)
        : null;
      return { connection, authorizationUrl };
    });
  }

  /** Accepted credentials recover a failing connection. */
  async update(caller: Caller, uuid: string, change: ConnectionUpdate): Promise<WrittenConnection> {
    return this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const before = connection.status;
      const events: ConnectionEvent[] = [];
      if (change.name !== undefined && change.name !== connection.name) {
        events.push({ type: 'connection.renamed', data: { from: connection.name, to: change.name } });
        connection.name = change.name;
      }
      if (change.settings && change.secrets) {
        events.push({ type: 'connection.updated', data: {} });
        const key = await this.keyManager.key(em, uuid);
        connection.settings = change.settings;
        connection.secrets = encryptStep1Secrets(this.keyManager, key, change.secrets);
        connection.startFrom((change.settings.startdate as string | undefined) ?? null);
      }
      if (change.checked) {
        applyCheckResult(connection, change.checked);
        const isFailing = connection.credentialsRejectedAt ?? connection.failingSince;
        const now = this.clock.now();
        if (isFailing) connection.recovered(now, await this.nextFetch(em, connection, now));
      }
      connection.updatedAt = this.clock.now();
      this.changes.record(em, caller, connection, {
        action: 'update',
        before,
        details: { fields: Object.keys(change.settings ?? {}), name: change.name !== undefined },
        events,
      });
      const authorizationUrl = change.authorize
        ? await this.authorization.start(em, caller, connection, change.authorize)
        : null;
      return { connection, authorizationUrl };
    });
  }

  private async nextFetch(em: EntityManager, connection: Connection, now: Date): Promise<Date> {
    const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
    return nextFetchTime(connection, now, environment);
  }
}

function applyCheckResult(connection: Connection, { account, trustedFingerprints }: CheckResult): void {
  connection.accountId = account.id;
  connection.accountDisplay = connection.inboxAddress ?? account.display;
  connection.trustedFingerprints = trustedFingerprints;
}

/** The identity was deleted after the guard has read it, and its tokens with it. */
function identityDeleted(caller: Caller) {
  if (caller.identityUuid !== null) return unauthorized('INVALID_TOKEN');
  return invalid([{ field: 'identity_uuid', code: 'IDENTITY_NOT_FOUND' }]);
}
