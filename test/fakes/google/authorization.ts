import { createHash, randomBytes } from 'node:crypto';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Grant {
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

const error = (status: number, code: string): Answer => ({
  status,
  body: { error: code, error_description: 'As asked.' },
});
const secret = (prefix: string): string => prefix + randomBytes(24).toString('base64url');

/** Google's authorization server, with somebody in front of the browser who agrees or does not. */
export class Authorization {
  /** Who is logged in there. */
  account = 'anna@example.com';
  /** What the user does: agrees, refuses, or leaves boxes unticked. */
  consent: 'agree' | 'deny' | readonly string[] = 'agree';
  clientSecret = 'client-secret';
  /** Seconds. */
  expiresIn = 3599;
  /** Each refresh token is good once, as some providers have it (not Google); with `grace` also when it comes again. */
  rotates: boolean | 'grace' = false;
  /** Called with each refresh before it is answered; may answer something else. */
  onRefresh: (token: string) => Answer | undefined | Promise<Answer | undefined> = () => undefined;
  refreshes = 0;
  readonly revoked: string[] = [];
  private readonly codes = new Map<string, Code>();
  private readonly access = new Map<string, AccessToken>();
  private readonly refresh = new Map<string, Grant>();

  constructor(
    readonly clientId: string,
    readonly redirectUri: string,
    /** Scopes that exist; the first is the one that the API asks for. */
    readonly scopes: readonly string[],
  ) {}

  /** GET /o/oauth2/v2/auth: where the browser goes next. */
  authorize(query: URLSearchParams): Answer {
    const given = (name: string): string => query.get(name) ?? '';
    const scopes = given('scope').split(' ');
    const isSound =
      given('client_id') === this.clientId &&
      given('redirect_uri') === this.redirectUri &&
      given('response_type') === 'code' &&
      given('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(given('code_challenge')) &&
      given('state') !== '' &&
      scopes.every((scope) => this.scopes.includes(scope));
    if (!isSound) return error(400, 'invalid_request');
    const back = new URL(this.redirectUri);
    back.searchParams.set('state', given('state'));
    if (this.consent === 'deny') back.searchParams.set('error', 'access_denied');
    else {
      const granted = this.consent === 'agree' ? scopes : this.consent;
      const code = secret('4/0');
      this.codes.set(code, {
        grant: { account: this.account, scopes: granted, isRevoked: false },
        redirectUri: given('redirect_uri'),
        challenge: given('code_challenge'),
        isOffline: given('access_type') === 'offline',
      });
      back.searchParams.set('code', code);
      back.searchParams.set('scope', granted.join(' '));
      back.searchParams.set('authuser', '0');
      back.searchParams.set('prompt', 'consent');
    }
    return { status: 302, headers: { location: back.href } };
  }

  /** POST /token */
  async token(form: URLSearchParams): Promise<Answer> {
    const given = (name: string): string => form.get(name) ?? '';
    if (given('grant_type') === 'refresh_token') {
      this.refreshes += 1;
      const instead = await this.onRefresh(given('refresh_token'));
      if (instead) return instead;
    }
    const isClient = given('client_id') === this.clientId && given('client_secret') === this.clientSecret;
    if (!isClient) return error(401, 'invalid_client');
    if (given('grant_type') === 'refresh_token') return this.renew(given('refresh_token'));
    if (given('grant_type') !== 'authorization_code') return error(400, 'unsupported_grant_type');
    const code = this.codes.get(given('code'));
    this.codes.delete(given('code'));
    const challenge = createHash('sha256').update(given('code_verifier')).digest('base64url');
    if (!code || code.challenge !== challenge || code.redirectUri !== given('redirect_uri')) {
      return error(400, 'invalid_grant');
    }
    return { status: 200, body: this.issue(code.grant, code.isOffline) };
  }

  /** POST /revoke: all that the account has granted the client. */
  revoke(token: string): Answer {
    const grant = this.refresh.get(token) ?? this.access.get(token)?.grant;
    if (!grant || grant.isRevoked) return error(400, 'invalid_token');
    this.revoked.push(grant.account);
    this.withdraw(grant.account);
    return { status: 200, body: {} };
  }

  /** The user withdraws the consent in the account's settings. */
  withdraw(account: string): void {
    for (const grant of [...this.refresh.values(), ...[...this.access.values()].map((token) => token.grant)]) {
      if (grant.account === account) grant.isRevoked = true;
    }
  }

  /** All access tokens have ended, whatever they were promised. */
  endAccessTokens(): void {
    this.access.clear();
  }

  /** Whose token it is and what it may do; null when it is no good. */
  accepts(header: string | undefined): Grant | null {
    const token = this.access.get(/^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '');
    return token && token.expiresAt > Date.now() && !token.grant.isRevoked ? token.grant : null;
  }

  /** A user's tokens without a browser. */
  tokens(
    account = this.account,
    scopes: readonly string[] = this.scopes.slice(0, 1),
  ): { access_token: string; refresh_token?: string } {
    return this.issue({ account, scopes, isRevoked: false }, true);
  }

  private renew(token: string): Answer {
    const grant = this.refresh.get(token);
    if (!grant || grant.isRevoked) return error(400, 'invalid_grant');
    if (!this.rotates) return { status: 200, body: this.issue(grant, false) };
    if (this.rotates !== 'grace') this.refresh.delete(token);
    return { status: 200, body: this.issue(grant, true) };
  }

  private issue(grant: Grant, withRefreshToken: boolean) {
    const accessToken = secret('ya29.');
    const refreshToken = secret('1//0');
    this.access.set(accessToken, { grant, expiresAt: Date.now() + this.expiresIn * 1000 });
    if (withRefreshToken) this.refresh.set(refreshToken, grant);
    return {
      access_token: accessToken,
      expires_in: this.expiresIn,
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
      ...(withRefreshToken && { refresh_token: refreshToken }),
    };
  }
}
