import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { matchesDigest, verifyToken } from '../../platform/crypto/signed-token';
import { Connection } from '../state/connection.entity';
import { OAuthFlow } from '../oauth/flow/oauth-flow.entity';
import { isFlowRevoked } from '../oauth/flow/is-flow-revoked';
import { type RequestCookies, flowCookieName } from '../oauth/oauth-cookies';
import { STATE_PURPOSE } from '../oauth/oauth-redirect';

/**
 * Finds the flow of a request to the consent page: a pending flow, in the browser that started it, of a connection in a test
 * environment whose authorization server is built in. The page issues codes for no other flow.
 */
@Injectable()
export class FindConsentFlow {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Null if there is no such flow. */
  async find(state: string, cookies: RequestCookies): Promise<{ connection: Connection; clientName: string } | null> {
    const uuid = verifyToken(this.settings.tokenKeys, STATE_PURPOSE, state);
    if (uuid === null) return null;
    const em = this.em.fork();
    const flow = await em.findOne(OAuthFlow, uuid);
    const cookie = cookies.get(flowCookieName(this.settings.publicUrl, uuid));
    if (!flow || flow.callbackAt || flow.expiresAt <= this.clock.now() || (await isFlowRevoked(em, flow))) return null;
    if (cookie === undefined || !matchesDigest(cookie, flow.browserDigest) || !matchesDigest(state, flow.stateDigest))
      return null;
    const connection = await em.findOneOrFail(Connection, flow.connectionUuid);
    const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
    const isBuiltIn = this.integrations.get(connection.integrationId).oauth?.isBuiltIn === true;
    return isBuiltIn && environment.kind === 'TEST' ? { connection, clientName: environment.clientName } : null;
  }
}
