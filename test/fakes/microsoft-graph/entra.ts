import { type Answer, AuthorizationServer, type Grant } from '../oauth/authorization-server';
import type { ErrorReason } from '../oauth/provider-behavior';

/** The registered scopes of the app: Graph's delegated permissions, and the scopes of every login. */
const REGISTERED = ['User.Read', 'Files.Read.All', 'Sites.Read.All', 'Mail.Read', 'Mail.Read.Shared', 'offline_access'];
/** The registered scope of another resource; a token is for one resource only. */
const IMAP = 'https://outlook.office.com/IMAP.AccessAsUser.All';
const IDENTITY = ['openid', 'profile', 'email'];
const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** The error and its number. */
const ERRORS: Readonly<Record<ErrorReason, readonly [status: number, error: string, aadsts: number]>> = {
  request: [400, 'invalid_request', 900144],
  client: [401, 'invalid_client', 7000215],
  'grant type': [400, 'unsupported_grant_type', 70003],
  code: [400, 'invalid_grant', 70000],
  'refresh token': [400, 'invalid_grant', 9002313],
  revoked: [400, 'invalid_grant', 50173],
};

/** The Microsoft identity platform (v2.0, tenant `common`), with a user in a browser who grants or denies consent. */
export class Entra extends AuthorizationServer {
  /** The user cannot consent: an administrator has to do so first. */
  needsAdmin = false;
  /** Every scope that was requested at the consent page, in order. */
  readonly asked: (readonly string[])[] = [];

  constructor(redirectUri: string) {
    super(redirectUri, {
      scopes: [...REGISTERED, ...IDENTITY, IMAP],
      expiresIn: 3_599,
      // The previous token stays valid, so that clients that lose a response are not locked out.
      rotates: 'grace',
      tellsScopes: false,
      prefix: 'eyJ0eXAi.',
      isOffline: (query) => (query.get('scope') ?? '').split(' ').includes('offline_access'),
    });
  }

  override authorize(query: URLSearchParams): Answer {
    this.asked.push(this.scopesIn(query.get('scope') ?? ''));
    return query.get('response_mode') === 'query' ? super.authorize(query) : this.refuse('request', query);
  }

  /** A user's access token without a browser. */
  accessToken(account = this.account, scopes: readonly string[] = REGISTERED): string {
    return this.tokens(account, scopes).access_token;
  }

  /** Both forms of a scope are valid. */
  protected override scopesIn(asked: string): readonly string[] {
    return [...new Set(asked.replaceAll('https://graph.microsoft.com/', '').split(' '))];
  }

  protected override callbackParameters() {
    return { session_state: '0a1b2c3d-0000-4000-8000-000000000000' };
  }

  protected override denied() {
    return this.needsAdmin
      ? { error: 'consent_required', error_description: 'AADSTS90094: Admin consent is required.' }
      : { error: 'access_denied', error_description: 'AADSTS65004: User declined.' };
  }

  protected override refuse(why: ErrorReason, given: URLSearchParams): Answer {
    const isUnknown = why === 'client' && given.get('client_id') !== this.clientId;
    const [status, error, aadsts] = isUnknown ? ([400, 'unauthorized_client', 700016] as const) : ERRORS[why];
    const timestamp = '2026-11-22 04:00:00Z';
    const error_description = `AADSTS${aadsts}: As asked. Trace ID: 0 Correlation ID: 0 Timestamp: ${timestamp}`;
    return { status, body: { error, error_description, error_codes: [aadsts], timestamp } };
  }

  protected override issue(grant: Grant, withRefreshToken: boolean) {
    const granted = grant.scopes.filter((scope) => scope !== 'offline_access' && !IDENTITY.includes(scope));
    return {
      ...super.issue(grant, withRefreshToken),
      token_type: 'Bearer',
      ext_expires_in: this.expiresIn,
      // The scopes of the login are granted without a request; requested scopes have Graph's URL as a prefix.
      scope: granted.includes(IMAP)
        ? IMAP
        : ['profile', 'openid', 'email', ...granted.map((scope) => `https://graph.microsoft.com/${scope}`)].join(' '),
      ...(grant.scopes.includes('openid') && { id_token: identityToken(this.clientId, grant.account) }),
    };
  }
}

/** With the account's own tenant: `common` is not the name of a tenant. */
function identityToken(audience: string, account: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const iss = `https://login.microsoftonline.com/${TENANT}/v2.0`;
  return [part({ alg: 'RS256' }), part({ iss, aud: audience, sub: account, iat: now, exp: now + 3_600 }), 'AA'].join(
    '.',
  );
}
