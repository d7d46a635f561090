import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { OAuthClient, usesOAuth } from '../../integrations/shared/oauth/oauth-client';
import { ClientRefused } from '../../integrations/core/source-errors';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf, newSecret, signToken } from '../../platform/crypto/signed-token';
import { KeyManager } from '../../platform/crypto/key-manager';
import { currentLang, type Lang } from '../../platform/i18n/lang';
import { Connection } from '../state/connection.entity';
import { type FlowSecrets, OAUTH_FLOW } from './flow/oauth-flow.entity';
import type { OpenFlow } from './flow/open-flow';
import { cookieName, STATE, type Way, wayBack } from './way-back';

/** How long a user may take at the provider: logging in, a second factor, reading. */
export const CONSENT_SECONDS = 1800;

/** Binds a flow to the browser and sends that to the provider. What the browser began before for the same flow is void. */
@Injectable()
export class GoToProvider {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly client: OAuthClient,
    private readonly vault: KeyManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** In the caller's transaction. `isApart`: in a window of its own, which does not get the session afterwards. */
  async run(em: EntityManager, { flow, own }: OpenFlow, isApart: boolean): Promise<Way> {
    const { publicUrl, tokenKeys } = this.settings;
    const connection = await em.findOneOrFail(Connection, flow.connectionUuid);
    const integration = this.integrations.get(connection.integrationId);
    if (!usesOAuth(integration)) return wayBack(publicUrl, 'AUTHORIZATION_INVALID');
    const key = await this.vault.key(em, connection.uuid);
    const { session } = this.vault.decrypt<FlowSecrets>(key, OAUTH_FLOW, flow.secrets);
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const state = signToken(tokenKeys, STATE, flow.uuid);
    const value = own ?? newSecret();
    flow.browserDigest = digestOf(value);
    flow.stateDigest = digestOf(state);
    flow.secrets = this.vault.encrypt(key, OAUTH_FLOW, { codeVerifier, session, isApart });
    flow.expiresAt = this.clock.in(CONSENT_SECONDS);
    try {
      const { lang = currentLang() } = (session ?? {}) as { lang?: Lang };
      const url = await this.client.consentUrl(integration, { scopes: flow.scopes, state, codeVerifier, lang });
      return { url, cookie: { name: cookieName(publicUrl, flow.uuid), value, seconds: CONSENT_SECONDS } };
    } catch (error) {
      if (error instanceof ClientRefused) return wayBack(publicUrl, 'INTEGRATION_NOT_AVAILABLE');
      throw error;
    }
  }
}
