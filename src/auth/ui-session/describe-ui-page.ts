import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { OAuthFlowRepository } from '../../connections/oauth/flow/oauth-flow.repository';
import { type RequestCookies, type ResponseCookie, renewPageCookie } from '../../connections/oauth/oauth-cookies';
import { Environment } from '../../identities/environments/environment.entity';
import { AuthenticateToken } from '../tokens/authenticate-token';

/** What the policy of the hosted UI's page depends on. */
export interface UiPage {
  /** From where an image may be loaded: the logo of the environment. */
  readonly logoOrigin: string | null;
  /** The pages that may show it in a frame. */
  readonly embeddingOrigins: readonly string[];
  /** Marks the browser as the one of the session, when the address brings a good token. */
  readonly cookie?: ResponseCookie;
}

/** Nothing from elsewhere, and in no frame. */
export const PLAIN_PAGE: UiPage = { logoOrigin: null, embeddingOrigins: [] };

/**
 * Finds the environment behind the address of the hosted UI's page before anything is shown: by the token, whose signature
 * is all that is needed to believe it, or by the code with which a browser comes back from a provider.
 */
@Injectable()
export class DescribeUiPage {
  constructor(
    private readonly em: EntityManager,
    private readonly authenticateToken: AuthenticateToken,
    private readonly flows: OAuthFlowRepository,
  ) {}

  /** {@link PLAIN_PAGE} when what the address brings is not good: the page itself says so to the reader. */
  async describe(query: { token?: unknown; resume?: unknown }, browser: RequestCookies): Promise<UiPage> {
    try {
      if (typeof query.resume === 'string') {
        // Who was at the provider was there in a window, never in a frame.
        const uuid = await this.flows.environmentOf(query.resume, browser);
        return uuid ? { ...(await this.pageOf(uuid)), embeddingOrigins: [] } : PLAIN_PAGE;
      }
      if (typeof query.token !== 'string') return PLAIN_PAGE;
      const { environmentUuid } = await this.authenticateToken.authenticate(query.token);
      return { ...(await this.pageOf(environmentUuid)), cookie: renewPageCookie(browser, this.flows.publicUrl) };
    } catch {
      return PLAIN_PAGE;
    }
  }

  private async pageOf(uuid: string): Promise<UiPage> {
    const { theme, embeddingOrigins } = await this.em.fork().findOneOrFail(Environment, uuid);
    const logo = theme.logo_url ? new URL(theme.logo_url) : null;
    return { logoOrigin: logo?.protocol === 'https:' ? logo.origin : null, embeddingOrigins };
  }
}
