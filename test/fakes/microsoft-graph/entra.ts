import { createHash, randomBytes } from 'node:crypto';

/** What the app has been registered for: Graph's delegated permissions, and what goes with every login. */
const REGISTERED = ['User.Read', 'Files.Read.All', 'Sites.Read.All', 'Mail.Read', 'Mail.Read.Shared', 'offline_access'];
const IDENTITY = ['openid', 'profile', 'email'];
const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

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
}

const secret = (prefix: string): string => prefix + randomBytes(24).toString('base64url');
const failure = (status: number, error: string, aadsts: number, more: object = {}): Answer => ({
  status,
  body: {
    error,
    error_description: `AADSTS${aadsts}: As asked. Trace ID: 0 Correlation ID: 0 Timestamp: 2026-11-22 04:00:00Z`,
    error_codes: [aadsts],
    timestamp: '2026-11-22 04:00:00Z',
    ...more,
  },
});

/** The Microsoft identity platform (v2.0, tenant `common`), with somebody in front of the browser who agrees or does not. */
export class Entra {
  /** Who is logged in there. */
  account = 'anna@example.com';
  /** What the user does: agrees, refuses, or has to ask an administrator first. */
  consent: 'agree' | 'deny' | 'needs-admin' = 'agree';
  clientSecret = 'client-secret';
  /** Seconds. */
  expiresIn = 3_599;
  /** Every scope that was asked for at the consent page, in order. */
  readonly asked: string[][] = [];
  refreshes = 0;
  private readonly codes = new Map<string, Code>();
  private readonly access = new Map<string, { readonly grant: Grant; readonly expiresAt: number }>();
  private readonly refresh = new Map<string, Grant>();

  constructor(
    readonly clientId: string,
    readonly redirectUri: string,
  ) {}

  /** GET /common/oauth2/v2.0/authorize: where the browser goes next. */
  authorize(query: URLSearchParams): Answer {
    const given = (name: string): string => query.get(name) ?? '';
    // Either way of naming them is right.
    const scopes = [...new Set(given('scope').replaceAll('https://graph.microsoft.com/', '').split(' '))];
    this.asked.push(scopes);
    const isSound =
      given('client_id') === this.clientId &&
      given('redirect_uri') === this.redirectUri &&
      given('response_type') === 'code' &&
      given('response_mode') === 'query' &&
      given('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(given('code_challenge')) &&
      given('state') !== '' &&
      scopes.every((scope) => [...REGISTERED, ...IDENTITY].includes(scope));
    if (!isSound) return failure(400, 'invalid_request', 900144);
    const back = new URL(this.redirectUri);
    back.searchParams.set('state', given('state'));
    if (this.consent === 'agree') {
      const code = secret('0.A');
      const grant = { account: this.account, scopes, isRevoked: false };
      this.codes.set(code, { grant, redirectUri: given('redirect_uri'), challenge: given('code_challenge') });
      back.searchParams.set('code', code);
      back.searchParams.set('session_state', '0a1b2c3d-0000-4000-8000-000000000000');
    } else {
      back.searchParams.set('error', this.consent === 'deny' ? 'access_denied' : 'consent_required');
      const code = this.consent === 'deny' ? 'AADSTS65004: User declined.' : 'AADSTS90094: Admin consent is required.';
      back.searchParams.set('error_description', code);
    }
    return { status: 302, headers: { location: back.href } };
  }

  /** POST /common/oauth2/v2.0/token */
  token(form: URLSearchParams): Answer {
    const given = (name: string): string => form.get(name) ?? '';
    if (given('client_id') !== this.clientId) return failure(400, 'unauthorized_client', 700016);
    if (given('client_secret') !== this.clientSecret) return failure(401, 'invalid_client', 7000215);
    if (given('grant_type') === 'refresh_token') {
      this.refreshes += 1;
      const grant = this.refresh.get(given('refresh_token'));
      if (!grant) return failure(400, 'invalid_grant', 9002313);
      // The one before stays good: clients that lose an answer are not locked out.
      return grant.isRevoked ? failure(400, 'invalid_grant', 50173) : { status: 200, body: this.issue(grant) };
    }
    if (given('grant_type') !== 'authorization_code') return failure(400, 'unsupported_grant_type', 70003);
    const code = this.codes.get(given('code'));
    this.codes.delete(given('code'));
    const challenge = createHash('sha256').update(given('code_verifier')).digest('base64url');
    if (!code || code.challenge !== challenge || code.redirectUri !== given('redirect_uri')) {
      return failure(400, 'invalid_grant', 70000);
    }
    return { status: 200, body: this.issue(code.grant) };
  }

  /** The user takes the consent back, or an administrator does. */
  withdraw(account: string): void {
    for (const grant of [...this.refresh.values(), ...[...this.access.values()].map((token) => token.grant)]) {
      if (grant.account === account) grant.isRevoked = true;
    }
  }

  /** All access tokens have ended, whatever they were promised (continuous access evaluation). */
  endAccessTokens(): void {
    this.access.clear();
  }

  /** Whose token it is and what it may do; null when it is no good. */
  accepts(header: string | undefined): Grant | null {
    const token = this.access.get(/^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '');
    return token && token.expiresAt > Date.now() && !token.grant.isRevoked ? token.grant : null;
  }

  /** A user's access token without a browser. */
  accessToken(account = this.account, scopes: readonly string[] = REGISTERED): string {
    return this.issue({ account, scopes, isRevoked: false }).access_token;
  }

  private issue(grant: Grant) {
    const accessToken = secret('eyJ0eXAi.');
    this.access.set(accessToken, { grant, expiresAt: Date.now() + this.expiresIn * 1000 });
    const isOffline = grant.scopes.includes('offline_access');
    const refreshToken = secret('1.A');
    if (isOffline) this.refresh.set(refreshToken, grant);
    const granted = grant.scopes.filter((scope) => scope !== 'offline_access' && !IDENTITY.includes(scope));
    return {
      token_type: 'Bearer',
      // Login's own scopes come unasked; what was asked for comes with Graph's address before it.
      scope: ['profile', 'openid', 'email', ...granted.map((scope) => `https://graph.microsoft.com/${scope}`)].join(
        ' ',
      ),
      expires_in: this.expiresIn,
      ext_expires_in: this.expiresIn,
      access_token: accessToken,
      ...(isOffline && { refresh_token: refreshToken }),
      ...(grant.scopes.includes('openid') && { id_token: identityToken(this.clientId, grant.account) }),
    };
  }
}

/** Of the account's own tenant: `common` is nobody's name. */
function identityToken(audience: string, account: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const iss = `https://login.microsoftonline.com/${TENANT}/v2.0`;
  return [part({ alg: 'RS256' }), part({ iss, aud: audience, sub: account, iat: now, exp: now + 3_600 }), 'AA'].join(
    '.',
  );
}
