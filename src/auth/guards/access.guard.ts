import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { parseCookies, readPageCookie } from '../../connections/oauth/oauth-cookies';
import { Settings } from '../../platform/config/settings';
import { digestOf } from '../../platform/crypto/signed-token';
import { ACCESS, type Caller, type CallerRequest, type Credential } from '../../platform/http/access/access.decorator';
import { forbidden, unauthorized } from '../../platform/errors/errors';
import type { Localized } from '../../platform/i18n/lang';
import { AuthenticateKey } from '../keys/authenticate-key';
import { AuthenticateToken } from '../tokens/authenticate-token';
import { AuthFailureLimit } from './auth-failure-limit';

/**
 * The global authentication guard (spec 5, decisions 3). All credentials that are sent must be valid; a route accepts only those of
 * its `@Access`; if both are sent, they must belong together, and the token's narrower scope applies.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticateKey: AuthenticateKey,
    private readonly authenticateToken: AuthenticateToken,
    private readonly failures: AuthFailureLimit,
    private readonly settings: Settings,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const accepted = this.reflector.getAllAndOverride<Credential[]>(ACCESS, [context.getHandler(), context.getClass()]);
    if (accepted.includes('none')) return true;
    return this.authenticate(context.switchToHttp().getRequest<CallerRequest>(), accepted);
  }

  private async authenticate(request: CallerRequest, accepted: readonly Credential[]): Promise<true> {
    try {
      request.caller = await this.identify(request, accepted);
    } catch (error) {
      await this.failures.count(request, error);
      throw error;
    }
    return true;
  }

  private async identify(request: CallerRequest, accepted: readonly Credential[]): Promise<Caller> {
    const { 'x-api-key': key, 'x-token': token } = request.headers as Readonly<Record<string, string | undefined>>;
    const byKey = key === undefined ? null : await this.authenticateKey.authenticate(key);
    const byToken = token === undefined ? null : await this.authenticateToken.authenticate(token);
    request.credentials = { key: byKey?.credential, token: byToken?.credential };
    const usable = (accepted.includes('token') && byToken) || (accepted.includes('key') && byKey);
    if (!usable) throw unauthorized('MISSING_CREDENTIALS', { params: { headers: headersFor(accepted) } });
    if (byKey && byToken && byKey.environmentUuid !== byToken.environmentUuid) throw forbidden('NOT_YOUR_IDENTITY');
    // With both, the token restricts the scope.
    return byToken ? { ...byToken, pageDigest: pageDigestOf(request, this.settings.publicUrl) } : usable;
  }
}

/** Identifies the browser of the hosted UI; null when its cookie is missing, as in frames and in pages of other origins. */
function pageDigestOf(request: CallerRequest, publicUrl: string): Buffer | null {
  const cookie = readPageCookie(parseCookies(request.headers.cookie), publicUrl);
  return cookie === null ? null : digestOf(cookie);
}

/** The names of the accepted headers, for the error message. */
function headersFor(accepted: readonly Credential[]): Localized {
  const names = [
    ...(accepted.includes('key') ? ['X-API-KEY'] : []),
    ...(accepted.includes('token') ? ['X-TOKEN'] : []),
  ];
  return { en: names.join(' or '), de: names.join(' oder ') };
}
