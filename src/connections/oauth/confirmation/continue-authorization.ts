import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Settings } from '../../../platform/config/settings';
import { digestOf, verifyToken } from '../../../platform/crypto/signed-token';
import { RedirectToProvider } from '../redirect-to-provider';
import { findFlowByLink } from '../flow/find-flow-by-link';
import type { RequestCookies } from '../oauth-cookies';
import { type OAuthRedirect, redirectToUi } from '../oauth-redirect';
import { proofPurpose } from './describe-confirmation';

/** `POST /oauth/start`, the form of the confirmation page (decisions 3): Continue consumes the link, Cancel changes nothing. */
@Injectable()
export class ContinueAuthorization {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly provider: RedirectToProvider,
  ) {}

  async continue(form: Readonly<Record<string, unknown>>, cookies: RequestCookies): Promise<OAuthRedirect> {
    const { publicUrl, tokenKeys } = this.settings;
    const now = this.clock.now();
    const dataKey = await this.provider.readKey(this.em.fork(), { linkDigest: digestOf(String(form.link)) });
    return this.em.fork().transactional(async (em) => {
      const opened = await findFlowByLink(em, form.link, cookies, { publicUrl, now });
      if (typeof opened === 'string') return redirectToUi(publicUrl, opened);
      const { flow, cookie: flowCookie } = opened;
      const { proof } = form;
      const provenUuid =
        flowCookie !== undefined &&
        typeof proof === 'string' &&
        verifyToken(tokenKeys, proofPurpose(flowCookie), proof);
      if (provenUuid !== flow.uuid) return redirectToUi(publicUrl, 'AUTHORIZATION_INVALID');
      if (form.decision !== 'continue') return redirectToUi(publicUrl, 'AUTHORIZATION_DENIED');
      flow.confirmedAt ??= now;
      return this.provider.redirect(em, opened, dataKey, form.apart === 'true');
    });
  }
}
