import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { OAuthIntegration } from '../../integrations/shared/oauth/oauth-client';
import type { TokenSet } from '../../integrations/core/oauth-spec';
import type { AccountInfo } from '../../integrations/core/source-document';
import { Clock } from '../../platform/clock/clock';
import type { Connection } from '../state/connection.entity';
import type { AnsweredFlow } from './flow/flow-store';
import { GrantStore } from './tokens/grant-store';
import { lockConnection } from '../access/own-connection';
import { RecordChange } from '../state/record-change';
import { isRevoked } from './flow/revoked-flow';
import { scheduledAfter } from '../state/scheduled-after';

/** Keeps an authorisation that has passed: the connection is mended, or its setup goes on. */
@Injectable()
export class AcceptAuthorization {
  constructor(
    private readonly em: EntityManager,
    private readonly grants: GrantStore,
    private readonly record: RecordChange,
    private readonly clock: Clock,
  ) {}

  /** False, with nothing changed, when the key or the sessions by which it began have been revoked meanwhile. */
  async run(
    flow: AnsweredFlow,
    integration: OAuthIntegration,
    given: { tokens: TokenSet; scopes: readonly string[]; account: AccountInfo },
  ): Promise<boolean> {
    const { actor } = flow;
    return this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, flow.connection.uuid);
      if (await isRevoked(em, { ...flow, connectionUuid: connection.uuid })) return false;
      const before = connection.status;
      const now = this.clock.now();
      const { id: accountId, display } = given.account;
      await this.grants.keep(em, connection, integration, { ...given, accountId });
      connection.accountId = accountId;
      connection.accountDisplay = display;
      connection.updatedAt = now;
      const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
      const next = scheduledAfter(connection, now, environment);
      const wasMigrated = connection.credentialsRejectedAt != null;
      if (connection.credentialsRejectedAt ?? connection.failingSince) connection.mended(now, next);
      if (isComplete(connection, integration, wasMigrated)) connection.setUp(now, next);
      this.record.run(em, { actor }, connection, {
        action: 'authorize',
        before,
        details: { scopes: given.scopes },
        facts: [{ type: 'connection.authorized', data: {} }],
      });
      return true;
    });
  }
}

/** Whether there is nothing left to do for a setup that has not been complete until now. */
function isComplete(connection: Connection, integration: OAuthIntegration, wasMigrated: boolean): boolean {
  if (connection.setupCompletedAt) return false;
  const isChosen = connection.step2Fields.length > 0; // it only waited for the further consent
  return !integration.step2 || isChosen || (wasMigrated && integration.worksWithoutStep2 === true);
}
