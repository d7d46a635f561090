import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { parseCookies, readPageCookie } from '../../connections/oauth/oauth-cookies';
import { Settings } from '../../platform/config/settings';
import { unauthorized } from '../../platform/errors/errors';
import { AuthFailureLimit } from '../guards/auth-failure-limit';
import { AuthenticateToken } from '../tokens/authenticate-token';
import { UiTokens } from '../tokens/ui-tokens';
import type { RestoredSessionView } from './restored-session.view';
import { SessionReferences } from './session-references';

/**
 * `POST /v1/ui/session/restore` (decisions 3): returns the token of the hosted UI's session after a reload, with the same claims and
 * the same expiry.
 */
@Injectable()
export class RestoreUiSession {
  constructor(
    private readonly references: SessionReferences,
    private readonly tokens: UiTokens,
    private readonly authenticateToken: AuthenticateToken,
    private readonly failures: AuthFailureLimit,
    private readonly settings: Settings,
  ) {}

  /**
   * @throws ApiError 401 `TOKEN_EXPIRED`, or `INVALID_TOKEN` when the reference is wrong or belongs to another browser, or the session
   * has been revoked; LimitExceeded 429 after too many of the latter from one address
   */
  async restore(reference: string, request: Request): Promise<RestoredSessionView> {
    try {
      return await this.restoreFor(
        readPageCookie(parseCookies(request.headers.cookie), this.settings.publicUrl),
        reference,
      );
    } catch (error) {
      await this.failures.count(request, error);
      throw error;
    }
  }

  private async restoreFor(pageCookie: string | null, reference: string): Promise<RestoredSessionView> {
    const claims = pageCookie && (await this.references.open(reference, pageCookie));
    if (!claims) throw unauthorized('INVALID_TOKEN');
    if (this.tokens.hasEnded(claims)) throw unauthorized('TOKEN_EXPIRED');
    await this.authenticateToken.callerOf(claims);
    const { token, expiresAt } = this.tokens.sign(claims);
    return { token, expires_at: expiresAt.toISOString() };
  }
}
