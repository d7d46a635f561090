import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { matchesDigest, verifyToken } from '../../platform/crypto/signed-token';
import { Connection } from '../state/connection.entity';
import { OAuthFlow } from '../oauth/flow/oauth-flow.entity';
import { isRevoked } from '../oauth/flow/revoked-flow';
import { type Browser, cookieName, STATE } from '../oauth/way-back';

/**
 * The consent page opens only for a flow that is under way, in the browser that began it, for a connection of a test environment
 * whose authorization server is built in: it gives out codes for nothing else.
 */
@Injectable()
export class FindConsentFlow {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Null when there is no such flow. */
  async find(state: string, browser: Browser): Promise<{ connection: Connection; clientName: string } | null> {
    const uuid = verifyToken(this.settings.tokenKeys, STATE, state);
    if (uuid === null) return null;
    const em = this.em.fork();
    const flow = await em.findOne(OAuthFlow, uuid);
    const cookie = browser.cookie(cookieName(this.settings.publicUrl, uuid));
    if (!flow || flow.answeredAt || flow.expiresAt <= this.clock.now() || (await isRevoked(em, flow))) return null;
    if (cookie === undefined || !matchesDigest(cookie, flow.browserDigest) || !matchesDigest(state, flow.stateDigest))
      return null;
    const connection = await em.findOneOrFail(Connection, flow.connectionUuid);
    const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
    const isBuiltIn = this.integrations.get(connection.integrationId).oauth?.isBuiltIn === true;
    return isBuiltIn && environment.kind === 'TEST' ? { connection, clientName: environment.clientName } : null;
  }
}
