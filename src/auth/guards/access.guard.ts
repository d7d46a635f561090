import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCESS, type Caller, type CallerRequest, type Credential } from '../../platform/http/access/access.decorator';
import { forbidden, unauthorized } from '../../platform/errors/errors';
import type { Localized } from '../../platform/i18n/lang';
import { AuthenticateSession } from '../console-session/authenticate-session';
import { RequestScope } from '../../platform/request/request-scope';
import { AuthenticateKey } from '../keys/authenticate-key';
import { AuthenticateToken } from '../tokens/authenticate-token';
import { AuthFailureLimit } from './auth-failure-limit';

/**
 * The global authentication guard (spec 5, decisions 3). All credentials that are sent must be valid; a route accepts only those of
 * its `@Access`; if key and token are sent, they must belong together, and the token's narrower scope applies. A session of the console
 * counts only without them, and then as a key does; routes of the console ignore them.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticateKey: AuthenticateKey,
    private readonly authenticateToken: AuthenticateToken,
    private readonly authenticateSession: AuthenticateSession,
    private readonly failures: AuthFailureLimit,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const accepted = this.reflector.getAllAndOverride<Credential[]>(ACCESS, [context.getHandler(), context.getClass()]);
    if (accepted.includes('none')) return true;
    return this.authenticate(context.switchToHttp().getRequest<CallerRequest>(), accepted);
  }

  private async authenticate(request: CallerRequest, accepted: readonly Credential[]): Promise<true> {
    try {
      request.caller = await this.identify(request, accepted);
      const scope = RequestScope.get();
      if (scope) scope.environmentUuid = request.caller.environmentUuid;
    } catch (error) {
      await this.failures.count(request, error);
      throw error;
    }
    return true;
  }

  private async identify(request: CallerRequest, accepted: readonly Credential[]): Promise<Caller> {
    const { 'x-api-key': key, 'x-token': token } = request.headers as Readonly<Record<string, string | undefined>>;
    const forSession =
      (key === undefined && token === undefined) ||
      !['key', 'token'].some((one) => accepted.includes(one as Credential));
    if (forSession) return this.identifySession(request, accepted);
    const byKey = key === undefined ? null : await this.authenticateKey.authenticate(key, request.ip);
    const byToken = token === undefined ? null : await this.authenticateToken.authenticateRequest(token, request);
    request.credentials = { key: byKey?.credential, token: byToken?.credential };
    const usable = (accepted.includes('token') && byToken) || (accepted.includes('key') && byKey);
    if (!usable) throw missing(accepted);
    if (byKey && byToken && byKey.environmentUuid !== byToken.environmentUuid) throw forbidden('NOT_YOUR_IDENTITY');
    // With both, the token restricts the resources, and neither key has more scopes than it was given.
    return byKey && byToken ? { ...byToken, scopes: commonScopes(byKey.scopes, byToken.scopes) } : usable;
  }

  private async identifySession(request: CallerRequest, accepted: readonly Credential[]): Promise<Caller> {
    const isForEveryRole = EVERY_ROLE.some((credential) => accepted.includes(credential));
    // The browser sends the cookie to routes that accept no session, too: it does not count there, valid or not.
    if (!isForEveryRole && !accepted.includes('support')) throw missing(accepted);
    const caller = await this.authenticateSession.authenticate(request, accepted.includes('cookie'));
    if (!caller) throw missing(accepted);
    request.credentials = { session: caller.credential };
    if (isForEveryRole) return caller;
    if (caller.session!.role !== 'SUPPORT') throw forbidden('SUPPORT_ONLY');
    return caller;
  }
}

/** The scopes that both have; null for all. */
const commonScopes = (one: Caller['scopes'], other: Caller['scopes']): Caller['scopes'] =>
  one && other ? one.filter((scope) => other.includes(scope)) : (one ?? other);

/** Declarations that accept a session of any role. */
const EVERY_ROLE: readonly Credential[] = ['key', 'session', 'cookie'];

const missing = (accepted: readonly Credential[]) =>
  unauthorized('MISSING_CREDENTIALS', { params: { headers: headersFor(accepted) } });

/** The names of the accepted headers, for the error message. */
function headersFor(accepted: readonly Credential[]): Localized {
  const names = [
    ...(accepted.includes('key') ? ['X-API-KEY'] : []),
    ...(accepted.includes('token') ? ['X-TOKEN'] : []),
  ];
  if (names.length === 0) names.push(accepted.includes('cookie') ? 'Cookie' : 'X-CSRF-TOKEN');
  return { en: names.join(' or '), de: names.join(' oder ') };
}
