/** The differences between the providers' authorization servers. */
export interface ProviderBehavior {
  /** The supported scopes. */
  readonly scopes: readonly string[];
  /** The lifetime of an access token in seconds. */
  readonly expiresIn: number;
  /** As `rotates` at first. */
  readonly rotates: boolean | 'grace';
  /** True when token responses contain the granted scopes. */
  readonly tellsScopes: boolean;
  /** The response to an unknown client or a wrong secret. Default: 400 `invalid_client`. */
  readonly invalidClient?: readonly [status: number, code: string];
  /** How access tokens begin. */
  readonly prefix?: string;
  /** True when the request asks for a refresh token. */
  isOffline(query: URLSearchParams): boolean;
}

/** Why a request is refused. */
export type RefusalReason = 'request' | 'client' | 'grant type' | 'code' | 'refresh token' | 'revoked';
