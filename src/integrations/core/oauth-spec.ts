/** How a provider lets its users authorise us (authorisation code with PKCE, RFC 6749 and 7636). */
export interface OAuthSpec {
  /**
   * The authorization server is part of this service: no client in the settings, no call leaves the process. Only the paths of its
   * addresses count; users consent below `PUBLIC_URL`.
   */
  readonly isBuiltIn?: true;
  /** As the provider names itself; some tell it with their answers (RFC 9207), and then it has to be this one. Another host is its own issuer. */
  readonly issuer: string;
  /** Where the user goes to consent. The deployment may set another host for all three (`OAUTH_<INTEGRATION>_BASE_URL`). */
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Where a grant is taken back. Absent: the provider cannot take back a single one. */
  readonly revokeUrl?: string;
  /** By the token in the form of RFC 7009 (the default), or by whoever is the bearer of a good access token. */
  readonly revokedBy?: 'token' | 'bearer';
  /** What is asked for at first; more with `scopesFor`. */
  readonly scopes: readonly string[];
  /** All that the given second step needs. More than what was granted: the user is asked again (`PUT …/step2` answers 200). */
  scopesFor?(step2: Readonly<Record<string, unknown>>): readonly string[];
  /** The scopes that a provider names differently in its answer, or not at all (`offline_access`), are not missed. */
  readonly neverGranted?: readonly string[];
  /** Further parameters of the address to consent at. */
  readonly authorizeParameters?: Readonly<Record<string, string>>;
  /** How our client proves itself at the token endpoint; `none` where it is built in. */
  readonly clientAuth: 'basic' | 'post' | 'none';
}

/** What the token endpoint has given us. */
export interface TokenSet {
  readonly accessToken: string;
  /** Absent in the answer to a refresh: the old one goes on. */
  readonly refreshToken: string | null;
  /** Seconds that the access token is good for; null when the provider does not tell. */
  readonly expiresIn: number | null;
  /** Null: exactly what was asked for (RFC 6749 section 5.1). */
  readonly scopes: readonly string[] | null;
}
