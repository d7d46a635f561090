/** How users of a provider authorize the service (authorization code with PKCE, RFC 6749 and 7636). */
export interface OAuthSpec {
  /**
   * The authorization server is part of this service: it needs no client in the settings, and no call leaves the process. Only the
   * paths of its addresses are used; users consent below `PUBLIC_URL`.
   */
  readonly isBuiltIn?: true;
  /** The provider's issuer identifier; a provider that returns it (RFC 9207) has to return this one. A configured other host is its own issuer. */
  readonly issuer: string;
  /** The address of the consent page. The deployment may configure another host for all three addresses (`OAUTH_<INTEGRATION>_BASE_URL`). */
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** The revocation endpoint. Absent when the provider cannot revoke a single grant. */
  readonly revokeUrl?: string;
  /** Revocation by the token as in RFC 7009 (the default), or with a valid access token as bearer. */
  readonly revokedBy?: 'token' | 'bearer';
  /** The scopes of the first authorization; `scopesFor` adds others. */
  readonly scopes: readonly string[];
  /** The scopes that the given second step requires. When some are not granted, the user is asked again (`PUT …/step2` answers 200). */
  scopesFor?(step2: Readonly<Record<string, unknown>>): readonly string[];
  /** Scopes that the provider names differently in its response, or omits (`offline_access`): they do not count as missing. */
  readonly neverGranted?: readonly string[];
  /** Additional parameters of the authorization request. */
  readonly authorizeParameters?: Readonly<Record<string, string>>;
  /** How the client authenticates at the token endpoint; `none` for the built-in server. */
  readonly clientAuth: 'basic' | 'post' | 'none';
}

/** The response of the token endpoint. */
export interface TokenSet {
  readonly accessToken: string;
  /** Null in the response to a refresh: the old one stays valid. */
  readonly refreshToken: string | null;
  /** The lifetime of the access token in seconds; null when the provider does not state it. */
  readonly expiresIn: number | null;
  /** Null when exactly the requested scopes were granted (RFC 6749 section 5.1). */
  readonly scopes: readonly string[] | null;
}
