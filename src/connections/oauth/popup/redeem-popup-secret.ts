import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Settings } from '../../../platform/config/settings';
import { serveRequest } from '../../../platform/database/served-environment';
import { matchesDigest, verifyToken } from '../../../platform/crypto/signed-token';
import { unprocessable } from '../../../platform/errors/errors';
import { isFlowRevoked } from '../flow/is-flow-revoked';
import { OAuthFlow } from '../flow/oauth-flow.entity';
import { flowCookieName, type RequestCookies } from '../oauth-cookies';
import { type OAuthRedirect, redirectToUi } from '../oauth-redirect';
import { RedirectToProvider } from '../redirect-to-provider';
import { POPUP_PURPOSE } from './create-popup-secret';

/**
 * `POST /v1/ui/popup-secrets/redeem` (decisions 3): exchanges the secret that a popup received from the frame for the cookie of
 * the flow, and continues to the provider.
 */
@Injectable()
export class RedeemPopupSecret {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly provider: RedirectToProvider,
  ) {}

  /** @throws ApiError 422 `POPUP_SECRET_INVALID` when the secret is unknown, was redeemed or replaced, or has expired */
  async redeem(secret: string, cookies: RequestCookies): Promise<OAuthRedirect> {
    const { publicUrl, tokenKeys } = this.settings;
    const uuid = verifyToken(tokenKeys, POPUP_PURPOSE, secret);
    const dataKey = uuid === null ? null : await this.provider.readKey(this.em.fork(), { uuid });
    const redirect =
      uuid !== null &&
      (await this.em.fork().transactional(async (em) => {
        const flow = await em.findOne(OAuthFlow, uuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
        const now = this.clock.now();
        if (!flow || !matchesDigest(secret, flow.popupDigest) || flow.popupExpiresAt! <= now) return null;
        await serveRequest(em, flow.environmentUuid);
        flow.popupDigest = null;
        flow.popupExpiresAt = null;
        if (flow.callbackAt) return redirectToUi(publicUrl, 'AUTHORIZATION_USED');
        if (flow.expiresAt <= now || (await isFlowRevoked(em, flow)))
          return redirectToUi(publicUrl, 'AUTHORIZATION_EXPIRED');
        const cookie = cookies.get(flowCookieName(publicUrl, flow.uuid));
        const isSameBrowser = cookie !== undefined && matchesDigest(cookie, flow.browserDigest);
        return this.provider.redirect(em, { flow, cookie: isSameBrowser ? cookie : undefined }, dataKey, true);
      }));
    if (!redirect) throw unprocessable('POPUP_SECRET_INVALID');
    return redirect;
  }
}
