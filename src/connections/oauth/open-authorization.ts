import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf, newSecret } from '../../platform/crypto/signed-token';
import { type Confirmation, DescribeConfirmation } from './confirmation/describe-confirmation';
import { RedirectToProvider } from './redirect-to-provider';
import { findFlowByLink } from './flow/find-flow-by-link';
import type { RequestCookies } from './oauth-cookies';
import { type OAuthRedirect, redirectToUi } from './oauth-redirect';

/**
 * `GET /oauth/start` (decisions 3). A link created in the hosted UI redirects its browser to the provider immediately. Any
 * other link shows a confirmation page without consuming the link, because scanners and previews open links too. A browser
 * that has confirmed may open the link again, after going back or a reload.
 */
@Injectable()
export class OpenAuthorization {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly provider: RedirectToProvider,
    private readonly confirmation: DescribeConfirmation,
  ) {}

  /** `isPopup`: opened in a separate window, in which the hosted UI does not resume its session. */
  async open(link: unknown, cookies: RequestCookies, isPopup: boolean): Promise<OAuthRedirect | Confirmation> {
    const { publicUrl } = this.settings;
    const dataKey = await this.provider.readKey(this.em.fork(), { linkDigest: digestOf(String(link)) });
    return this.em.fork().transactional(async (em) => {
      const opened = await findFlowByLink(em, link, cookies, { publicUrl, now: this.clock.now() });
      if (typeof opened === 'string') return redirectToUi(publicUrl, opened);
      const { flow, cookie: flowCookie = newSecret() } = opened;
      if (flow.pageDigest ?? flow.confirmedAt) return this.provider.redirect(em, opened, dataKey, isPopup);
      return this.confirmation.describe(em, flow, { link: link as string, cookie: flowCookie, isPopup });
    });
  }
}
