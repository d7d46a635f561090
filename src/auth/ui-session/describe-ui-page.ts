import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { OAuthFlowRepository } from '../../connections/oauth/flow/oauth-flow.repository';
import { type RequestCookies, type ResponseCookie, renewPageCookie } from '../../connections/oauth/oauth-cookies';
import { Environment } from '../../identities/environments/environment.entity';
import { AuthenticateToken } from '../tokens/authenticate-token';
import { PreviewTheme } from '../theme-preview/preview-theme';

/** The data for the security policy of the hosted UI's page. */
export interface UiPage {
  /** The origin of the environment's logo. */
  readonly logoOrigin: string | null;
  /** The origins that may show the page in a frame. */
  readonly embeddingOrigins: readonly string[];
  /** The page is a preview of a theme, which shows itself in frames. */
  readonly isPreview?: boolean;
  /** Binds the session to the browser, when the URL contains a valid token. */
  readonly cookie?: ResponseCookie;
}

/** No external resources, and no frames. */
export const PLAIN_PAGE: UiPage = { logoOrigin: null, embeddingOrigins: [] };

/**
 * Determines the environment of a request for the hosted UI's page: by the token, by the code with which a browser returns from a
 * provider, or by its uuid after a reload. A preview of a theme has no environment.
 */
@Injectable()
export class DescribeUiPage {
  constructor(
    private readonly em: EntityManager,
    private readonly authenticateToken: AuthenticateToken,
    private readonly flows: OAuthFlowRepository,
    private readonly previewTheme: PreviewTheme,
  ) {}

  /** {@link PLAIN_PAGE} when the token or code is not valid: the page itself shows the error. */
  async describe(
    query: { token?: unknown; resume?: unknown; theme?: unknown; preview?: unknown },
    browser: RequestCookies,
  ): Promise<UiPage> {
    try {
      if (typeof query.preview === 'string') {
        const theme = this.previewTheme.open(query.preview);
        return theme ? { logoOrigin: logoOriginOf(theme), embeddingOrigins: ["'self'"], isPreview: true } : PLAIN_PAGE;
      }
      if (typeof query.resume === 'string') {
        // An authorization at a provider happens in a window, never in a frame.
        const uuid = await this.flows.environmentOf(query.resume, browser);
        return uuid ? { ...(await this.pageOf(uuid)), embeddingOrigins: [] } : PLAIN_PAGE;
      }
      if (typeof query.token === 'string') {
        const { environmentUuid } = await this.authenticateToken.authenticate(query.token);
        return { ...(await this.pageOf(environmentUuid)), cookie: renewPageCookie(browser, this.flows.publicUrl) };
      }
      // After a reload, the address has only the environment: the page restores its session, and shows the logo again.
      return isUuid(query.theme) ? { ...(await this.pageOf(query.theme as string)), embeddingOrigins: [] } : PLAIN_PAGE;
    } catch {
      return PLAIN_PAGE;
    }
  }

  private async pageOf(uuid: string): Promise<UiPage> {
    const { theme, embeddingOrigins } = await this.em.fork().findOneOrFail(Environment, uuid);
    return { logoOrigin: logoOriginOf(theme), embeddingOrigins };
  }
}

function logoOriginOf({ logo_url: url }: Environment['theme']): string | null {
  const logo = url ? new URL(url) : null;
  return logo?.protocol === 'https:' ? logo.origin : null;
}
