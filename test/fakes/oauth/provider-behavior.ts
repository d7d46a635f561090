/** The differences between the providers' authorization servers. */
export interface ProviderBehavior {
  /** The supported scopes. */
  readonly scopes: readonly string[];
  /** The lifetime of an access token in seconds. */
  readonly expiresIn: number;
  /** The initial value of `rotates`. */
  readonly rotates: boolean | 'grace';
  /** True when token responses contain the granted scopes. */
  readonly tellsScopes: boolean;
  /** The response to an unknown client or a wrong secret. Default: 400 `invalid_client`. */
  readonly invalidClient?: readonly [status: number, code: string];
  /** The prefix of access tokens. */
  readonly prefix?: string;
  /** True when the request is for a refresh token. */
  isOffline(query: URLSearchParams): boolean;
}

/** The reason for rejecting a request. */
export type ErrorReason = 'request' | 'client' | 'grant type' | 'code' | 'refresh token' | 'revoked';
