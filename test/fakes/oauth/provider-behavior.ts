/** What sets one provider's server apart from another's. */
export interface ProviderBehavior {
  /** What may be asked for. */
  readonly scopes: readonly string[];
  /** Seconds that an access token is good for. */
  readonly expiresIn: number;
  /** As `rotates` at first. */
  readonly rotates: boolean | 'grace';
  /** Whether the answer tells what was granted. */
  readonly tellsScopes: boolean;
  /** What is answered to another client, or one with another secret. Default: 400 `invalid_client`. */
  readonly invalidClient?: readonly [status: number, code: string];
  /** How access tokens begin. */
  readonly prefix?: string;
  /** Whether a refresh token is wanted. */
  isOffline(query: URLSearchParams): boolean;
}

/** Why a request is refused. */
export type RefusalReason = 'request' | 'client' | 'grant type' | 'code' | 'refresh token' | 'revoked';
