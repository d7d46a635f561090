import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { OAuthClient } from '../../integrations/shared/oauth/oauth-client';
import { usesOAuth } from '../../integrations/shared/oauth/registered-client';
import { ClientRefused } from '../../integrations/core/source-errors';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf, newSecret, signToken } from '../../platform/crypto/signed-token';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import { currentLang, type Lang } from '../../platform/i18n/lang';
import { Connection } from '../state/connection.entity';
import { type FlowSecrets, OAUTH_FLOW } from './flow/oauth-flow.entity';
import type { LinkedFlow } from './flow/find-flow-by-link';
import { readFlowKey } from './flow/read-flow-key';
import { flowCookieName } from './oauth-cookies';
import { STATE_PURPOSE, type OAuthRedirect, redirectToUi } from './oauth-redirect';

/** Time that a user has at the provider for login, second factor and consent. */
export const CONSENT_SECONDS = 1800;

/** Binds a flow to the browser and redirects it to the provider. An earlier redirect of the same flow becomes invalid. */
@Injectable()
export class RedirectToProvider {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly client: OAuthClient,
    private readonly keyManager: KeyManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** The data key for {@link redirect}, to be read before the transaction; null when there is no such flow. */
  readKey(em: EntityManager, flow: Parameters<typeof readFlowKey>[2]): Promise<KeyRing | null> {
    return readFlowKey(em, this.keyManager, flow);
  }

  /** Runs in the caller's transaction. `isPopup`: opened in a separate window, which does not resume the session. */
  async redirect(
    em: EntityManager,
    { flow, cookie: flowCookie }: LinkedFlow,
    dataKey: KeyRing | null,
    isPopup: boolean,
  ): Promise<OAuthRedirect> {
    const { publicUrl, tokenKeys } = this.settings;
    const connection = await em.findOneOrFail(Connection, flow.connectionUuid);
    const integration = this.integrations.get(connection.integrationId);
    if (!dataKey || !usesOAuth(integration)) return redirectToUi(publicUrl, 'AUTHORIZATION_INVALID');
    const { session } = this.keyManager.decrypt<FlowSecrets>(dataKey, OAUTH_FLOW, flow.secrets);
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const state = signToken(tokenKeys, STATE_PURPOSE, flow.uuid);
    const value = flowCookie ?? newSecret();
    flow.browserDigest = digestOf(value);
    flow.stateDigest = digestOf(state);
    flow.secrets = this.keyManager.encrypt(dataKey, OAUTH_FLOW, { codeVerifier, session, isApart: isPopup });
    flow.expiresAt = this.clock.in(CONSENT_SECONDS);
    try {
      const { lang = currentLang() } = (session ?? {}) as { lang?: Lang };
      const url = await this.client.consentUrl(integration, { scopes: flow.scopes, state, codeVerifier, lang });
      return { url, cookie: { name: flowCookieName(publicUrl, flow.uuid), value, seconds: CONSENT_SECONDS } };
    } catch (error) {
      if (error instanceof ClientRefused) return redirectToUi(publicUrl, 'INTEGRATION_NOT_AVAILABLE');
      throw error;
    }
  }
}
