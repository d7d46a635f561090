import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { OAuthIntegration } from '../../integrations/shared/oauth/registered-client';
import type { TokenSet } from '../../integrations/core/oauth-spec';
import type { AccountInfo } from '../../integrations/core/source-document';
import { Clock } from '../../platform/clock/clock';
import type { Connection } from '../state/connection.entity';
import type { ConsumedFlow } from './flow/oauth-flow.repository';
import { TokenStore } from './tokens/token-store';
import { lockConnection } from '../access/load-connection';
import { ConnectionChangeLog } from '../state/connection-change-log';
import { isFlowRevoked } from './flow/is-flow-revoked';
import { nextFetchTime } from '../state/next-fetch-time';

/** Stores a successful authorization: the connection recovers, or its setup continues. */
@Injectable()
export class AcceptAuthorization {
  constructor(
    private readonly em: EntityManager,
    private readonly tokens: TokenStore,
    private readonly changes: ConnectionChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Returns false without a change if the key or the sessions that started the flow have been revoked meanwhile. */
  async accept(
    flow: ConsumedFlow,
    integration: OAuthIntegration,
    given: { tokens: TokenSet; scopes: readonly string[]; readAccount: AccountInfo },
  ): Promise<boolean> {
    const { actor } = flow;
    const keys = await this.tokens.readKeys(flow.connection, integration);
    return this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, flow.connection.uuid);
      if (await isFlowRevoked(em, { ...flow, connectionUuid: connection.uuid })) return false;
      const before = connection.status;
      const now = this.clock.now();
      const { id: accountId, display } = given.readAccount;
      await this.tokens.saveGrant(em, connection, { ...given, keys, accountId });
      connection.accountId = accountId;
      connection.accountDisplay = display;
      connection.updatedAt = now;
      const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
      const next = nextFetchTime(connection, now, environment);
      const wasMigrated = connection.credentialsRejectedAt != null;
      if (connection.credentialsRejectedAt ?? connection.failingSince) connection.recovered(now, next);
      if (isComplete(connection, integration, wasMigrated)) connection.completeSetup(now, next);
      this.changes.record(em, { actor }, connection, {
        action: 'authorize',
        before,
        details: { scopes: given.scopes },
        events: [{ type: 'connection.authorized', data: {} }],
      });
      return true;
    });
  }
}

/** Whether the authorization completes the setup. */
function isComplete(connection: Connection, integration: OAuthIntegration, wasMigrated: boolean): boolean {
  if (connection.setupCompletedAt) return false;
  const isStep2Saved = connection.step2Fields.length > 0; // only the scope upgrade was missing
  return !integration.step2 || isStep2Saved || (wasMigrated && integration.worksWithoutStep2 === true);
}
