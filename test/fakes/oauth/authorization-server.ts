import { createHash, randomBytes } from 'node:crypto';
import type { ProviderBehavior, ErrorReason } from './provider-behavior';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Grant {
  readonly account: string;
  readonly scopes: readonly string[];
  isRevoked: boolean;
}
interface Code {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly isOffline: boolean;
}
interface AccessToken {
  readonly grant: Grant;
  readonly expiresAt: number;
}

export const error = (status: number, code: string): Answer => ({
  status,
  body: { error: code, error_description: 'As asked.' },
});
const secret = (prefix: string): string => prefix + randomBytes(24).toString('base64url');

/** A provider's authorization server, with a user in a browser who grants or denies consent. */
export class AuthorizationServer {
  readonly clientId = 'client-id';
  clientSecret = 'client-secret';
  /** The account that is logged in at the provider. */
  account = 'anna@example.com';
  /** The user's decision: grant, deny, or leave scopes unchecked. */
  consent: 'agree' | 'deny' | readonly string[] = 'agree';
  /** Seconds. */
  expiresIn: number;
  /** Each refresh token is valid once; with `grace` it may be used again. */
  rotates: boolean | 'grace';
  /** Called with each refresh before it is answered; may return another response. */
  onRefresh: (token: string) => Answer | undefined | Promise<Answer | undefined> = () => undefined;
  /** Called before each code is exchanged. */
  onExchange: () => unknown = () => undefined;
  refreshes = 0;
  readonly revoked: string[] = [];
  private readonly codes = new Map<string, Code>();
  private readonly access = new Map<string, AccessToken>();
  private readonly refresh = new Map<string, Grant>();

  constructor(
    readonly redirectUri: string,
    private readonly own: ProviderBehavior,
  ) {
    this.expiresIn = own.expiresIn;
    this.rotates = own.rotates;
  }

  /** The URL that the browser opens next. */
  authorize(query: URLSearchParams): Answer {
    const given = (name: string): string => query.get(name) ?? '';
    const scopes = this.scopesIn(given('scope'));
    const isSound =
      given('client_id') === this.clientId &&
      given('redirect_uri') === this.redirectUri &&
      given('response_type') === 'code' &&
      given('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(given('code_challenge')) &&
      given('state') !== '' &&
      scopes.every((scope) => this.own.scopes.includes(scope));
    if (!isSound) return this.refuse('request', query);
    const back = new URL(this.redirectUri);
    back.searchParams.set('state', given('state'));
    if (this.consent === 'deny') {
      for (const [name, value] of Object.entries(this.denied())) back.searchParams.set(name, value);
    } else {
      const granted = this.consent === 'agree' ? scopes : this.consent;
      const code = secret('code-');
      this.codes.set(code, {
        grant: { account: this.account, scopes: granted, isRevoked: false },
        redirectUri: given('redirect_uri'),
        challenge: given('code_challenge'),
        isOffline: this.own.isOffline(query),
      });
      back.searchParams.set('code', code);
      for (const [name, value] of Object.entries(this.callbackParameters(granted))) back.searchParams.set(name, value);
    }
    return { status: 302, headers: { location: back.href } };
  }

  /** The requested scopes, as the server names them. */
  protected scopesIn(asked: string): readonly string[] {
    return asked.split(' ');
  }

  /** The callback parameters after a denied consent. */
  protected denied(): Readonly<Record<string, string>> {
    return { error: 'access_denied' };
  }

  protected refuse(why: ErrorReason, _given: URLSearchParams): Answer {
    if (why === 'client') return error(...(this.own.invalidClient ?? ([400, 'invalid_client'] as const)));
    if (why === 'request') return error(400, 'invalid_request');
    return error(400, why === 'grant type' ? 'unsupported_grant_type' : 'invalid_grant');
  }

  /** The callback parameters besides the code. */
  protected callbackParameters(_granted: readonly string[]): Readonly<Record<string, string>> {
    return {};
  }

  /** The token endpoint. */
  async token(form: URLSearchParams): Promise<Answer> {
    const given = (name: string): string => form.get(name) ?? '';
    if (given('grant_type') === 'refresh_token') {
      this.refreshes += 1;
      const instead = await this.onRefresh(given('refresh_token'));
      if (instead) return instead;
    }
    if (!this.isClient(form)) return this.refuse('client', form);
    if (given('grant_type') === 'refresh_token') return this.renew(given('refresh_token'), form);
    if (given('grant_type') !== 'authorization_code') return this.refuse('grant type', form);
    await this.onExchange();
    const code = this.codes.get(given('code'));
    this.codes.delete(given('code'));
    const challenge = createHash('sha256').update(given('code_verifier')).digest('base64url');
    const isGood = code?.challenge === challenge && code.redirectUri === given('redirect_uri');
    return isGood ? { status: 200, body: this.issue(code.grant, code.isOffline) } : this.refuse('code', form);
  }

  /** RFC 7009: revokes a token and its whole grant. */
  revoke(form: URLSearchParams): Answer {
    const grant = this.grantOf(form.get('token') ?? '');
    if (!this.isClient(form) || !grant || grant.isRevoked) return error(400, 'invalid_token');
    this.revokeGrant(grant);
    return { status: 200 };
  }

  protected grantOf(token: string): Grant | undefined {
    return this.refresh.get(token) ?? this.access.get(token)?.grant;
  }

  revokeGrant(grant: Grant): void {
    grant.isRevoked = true;
    this.revoked.push(grant.account);
  }

  /** The user withdraws the consent in the account's settings. */
  withdraw(account: string): void {
    for (const grant of [...this.refresh.values(), ...[...this.access.values()].map((token) => token.grant)]) {
      if (grant.account === account) grant.isRevoked = true;
    }
  }

  /** Expires all access tokens, regardless of `expires_in`. */
  expireAccessTokens(): void {
    this.access.clear();
  }

  /** The account of a token; null when the token is invalid. */
  accepts(header: string | undefined): Grant | null {
    const token = this.access.get(/^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '');
    return token && token.expiresAt > Date.now() && !token.grant.isRevoked ? token.grant : null;
  }

  /** A user's tokens without a browser. */
  tokens(account = this.account, scopes: readonly string[] = this.own.scopes) {
    return this.issue({ account, scopes, isRevoked: false }, true);
  }

  private isClient(form: URLSearchParams): boolean {
    return form.get('client_id') === this.clientId && form.get('client_secret') === this.clientSecret;
  }

  private renew(token: string, form: URLSearchParams): Answer {
    const grant = this.refresh.get(token);
    if (!grant || grant.isRevoked) return this.refuse(grant ? 'revoked' : 'refresh token', form);
    if (this.rotates === true) this.refresh.delete(token);
    return { status: 200, body: this.issue(grant, this.rotates !== false) };
  }

  protected issue(grant: Grant, withRefreshToken: boolean) {
    const { tellsScopes, prefix = 'access-' } = this.own;
    const accessToken = secret(prefix);
    const refreshToken = secret('refresh-');
    this.access.set(accessToken, { grant, expiresAt: Date.now() + this.expiresIn * 1000 });
    if (withRefreshToken) this.refresh.set(refreshToken, grant);
    return {
      access_token: accessToken,
      expires_in: this.expiresIn,
      token_type: 'bearer',
      ...(tellsScopes && { scope: grant.scopes.join(' ') }),
      ...(withRefreshToken && { refresh_token: refreshToken }),
    };
  }
}
