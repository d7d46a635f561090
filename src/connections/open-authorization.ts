import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import { Catalogue } from '../integrations/catalogue';
import { OAuthClient, usesOAuth } from '../integrations/shared/oauth/oauth-client';
import { ClientRefused } from '../integrations/source-errors';
import { Clock } from '../platform/clock';
import { Settings } from '../platform/config';
import { digestOf, fits, newSecret, signTicket } from '../platform/crypto/ticket';
import { Vault } from '../platform/crypto/vault';
import type { Lang } from '../platform/http/lang';
import { Connection } from './connection.entity';
import { type FlowSecrets, OAUTH_FLOW, OAuthFlow } from './oauth-flow.entity';
import { isRevoked } from './revoked-flow';
import { type Browser, cookieName, pageCookieOf, STATE, type Way, wayBack } from './way-back';

/** How long a user may take at the provider: logging in, a second factor, reading. */
export const CONSENT_SECONDS = 1800;

/**
 * `GET /oauth/start`: the browser that opens the address first is the one that may come back (contract 5). It gets a cookie and
 * goes on to the provider. The same browser may open it again, after a step back or a reload; what it began before is void.
 */
@Injectable()
export class OpenAuthorization {
  constructor(
    private readonly em: EntityManager,
    private readonly catalogue: Catalogue,
    private readonly client: OAuthClient,
    private readonly vault: Vault,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** `apart`: in a window of its own, which the hosted UI in its frame is not to be brought back to. */
  async run(link: string | undefined, browser: Browser, apart = false): Promise<Way> {
    const { publicUrl } = this.settings;
    return this.em.fork().transactional(async (em) => {
      const flow = link ? await em.findOne(OAuthFlow, { linkDigest: digestOf(link) }) : null;
      if (!flow) return wayBack(publicUrl, 'AUTHORIZATION_INVALID');
      const name = cookieName(publicUrl, flow.uuid);
      const own = browser.cookie(name);
      if (flow.browserDigest && !(own && fits(own, flow.browserDigest))) {
        return wayBack(publicUrl, 'AUTHORIZATION_INVALID');
      }
      const page = pageCookieOf(browser, publicUrl);
      if (flow.pageDigest && !(page && fits(page, flow.pageDigest))) return wayBack(publicUrl, 'AUTHORIZATION_INVALID');
      if (flow.answeredAt) return wayBack(publicUrl, 'AUTHORIZATION_USED');
      if (flow.expiresAt <= this.clock.now()) return wayBack(publicUrl, 'AUTHORIZATION_EXPIRED');
      if (await isRevoked(em, flow)) return wayBack(publicUrl, 'AUTHORIZATION_EXPIRED');

      const connection = await em.findOneOrFail(Connection, flow.connectionUuid);
      const integration = this.catalogue.get(connection.integrationId);
      if (!usesOAuth(integration)) return wayBack(publicUrl, 'AUTHORIZATION_INVALID');
      const key = await this.vault.key(em, connection.uuid);
      const secrets = this.vault.open<FlowSecrets>(key, OAUTH_FLOW, flow.secrets);
      const codeVerifier = oauth.generateRandomCodeVerifier();
      const state = signTicket(this.settings.tokenKeys, STATE, flow.uuid);
      const cookie = own ?? newSecret();
      flow.browserDigest = digestOf(cookie);
      flow.stateDigest = digestOf(state);
      flow.secrets = this.vault.seal(key, OAUTH_FLOW, {
        codeVerifier,
        session: apart ? null : secrets.session,
      });
      flow.expiresAt = this.clock.in(CONSENT_SECONDS);
      try {
        const { lang } = (secrets.session ?? {}) as { lang?: Lang };
        const url = await this.client.consentUrl(integration, { scopes: flow.scopes, state, codeVerifier, lang });
        return { url, cookie: { name, value: cookie, seconds: CONSENT_SECONDS } };
      } catch (error) {
        if (error instanceof ClientRefused) return wayBack(publicUrl, 'INTEGRATION_NOT_AVAILABLE');
        throw error;
      }
    });
  }
}
