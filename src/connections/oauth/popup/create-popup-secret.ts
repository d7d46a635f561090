import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Settings } from '../../../platform/config/settings';
import { KeyManager } from '../../../platform/crypto/key-manager';
import type { KeyRing } from '../../../platform/crypto/key-ring';
import { digestOf, signToken } from '../../../platform/crypto/signed-token';
import { unprocessable } from '../../../platform/errors/errors';
import type { Caller } from '../../../platform/http/access/access.decorator';
import { type FlowSecrets, OAUTH_FLOW, OAuthFlow } from '../flow/oauth-flow.entity';
import { readFlowKey } from '../flow/read-flow-key';
import type { PopupSecretView } from './popup.dto';

/** Signing purpose of the secret. */
export const POPUP_PURPOSE = 'oauth-popup';
/** Validity of the secret: the popup redeems it within one page load. */
const POPUP_SECONDS = 60;

/**
 * `POST /v1/ui/popup-secrets` (decisions 3): lets the hosted UI in a frame, where browsers block its cookie, pass an authorization
 * to a popup. The popup then needs no confirmation page, because the secret proves that the session opened it.
 */
@Injectable()
export class CreatePopupSecret {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Only the digest of the secret is stored. A new secret replaces the previous one.
   * @throws ApiError 422 `AUTHORIZATION_URL_INVALID` when another session created the authorization, or when it is over
   */
  async create({ credential }: Caller, authorizationUrl: string): Promise<PopupSecretView> {
    const linkDigest = digestOf(linkOf(authorizationUrl));
    const dataKey = await readFlowKey(this.em.fork(), this.keyManager, { linkDigest });
    return this.em.fork().transactional(async (em) => {
      const flow = await em.findOne(OAuthFlow, { linkDigest }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const isUsable = flow && !flow.callbackAt && flow.expiresAt > this.clock.now();
      if (!isUsable || !dataKey || this.sessionOf(dataKey, flow) !== credential) {
        throw unprocessable('AUTHORIZATION_URL_INVALID');
      }
      const secret = signToken(this.settings.tokenKeys, POPUP_PURPOSE, flow.uuid);
      flow.popupDigest = digestOf(secret);
      flow.popupExpiresAt = this.clock.in(POPUP_SECONDS);
      return { secret, expires_at: flow.popupExpiresAt.toISOString() };
    });
  }

  /** The id of the UI token that started the flow; undefined when an API key did. */
  private sessionOf(dataKey: KeyRing, { secrets }: OAuthFlow): string | undefined {
    const session: { jti?: string } | null = this.keyManager.decrypt<FlowSecrets>(dataKey, OAUTH_FLOW, secrets).session;
    return session?.jti;
  }
}

const linkOf = (url: string): string => (URL.canParse(url) ? (new URL(url).searchParams.get('link') ?? '') : '');
