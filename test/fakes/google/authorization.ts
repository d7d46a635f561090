import { type Answer, AuthorizationServer, error } from '../oauth/authorization-server';

/** Google's authorization server. */
export class Authorization extends AuthorizationServer {
  constructor(
    redirectUri: string,
    /** The existing scopes; the first is the one that the API requires. */
    readonly scopes: readonly string[],
  ) {
    super(redirectUri, {
      scopes,
      expiresIn: 3599,
      rotates: false,
      tellsScopes: true,
      invalidClient: [401, 'invalid_client'],
      prefix: 'ya29.',
      isOffline: (query) => query.get('access_type') === 'offline',
    });
  }

  protected override callbackParameters(granted: readonly string[]) {
    return { scope: granted.join(' '), authuser: '0', prompt: 'consent' };
  }

  /** Requires a token only; revokes everything that the account has granted to the client. */
  override revoke(form: URLSearchParams): Answer {
    const grant = this.grantOf(form.get('token') ?? '');
    if (!grant || grant.isRevoked) return error(400, 'invalid_token');
    this.revokeGrant(grant);
    this.withdraw(grant.account);
    return { status: 200, body: {} };
  }

  override tokens(account = this.account, scopes: readonly string[] = this.scopes.slice(0, 1)) {
    return super.tokens(account, scopes);
  }
}
