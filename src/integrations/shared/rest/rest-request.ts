import type { SourceError } from '../../core/source-errors';

type Value = string | number | boolean;
/** Query parameters; a list is a repeated parameter. */
export type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>;

/** An idempotent API request, also as a POST for providers whose calls are all POST. */
export interface RestRequest {
  /** Below the address of the API. */
  readonly path: string;
  /** A whole address instead, of the API's own origin. */
  readonly url?: string;
  readonly query?: Query;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it is sent, without credentials. */
export interface UnsignedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty without one. */
  readonly body: string;
}

/** An error response of a provider. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body; null when it is not JSON. */
  readonly body: unknown;
  /** Whether it comes from a redirect target that did not receive the token (`followsRedirects`). */
  readonly isFromRedirect?: boolean;
}

export interface RestOptions {
  /** The name of the provider in messages. */
  readonly provider: string;
  /** Classifies an error response. Refused access tokens (401) are handled before. */
  classify(errorResponse: ErrorResponse): SourceError;
  /** Classifies the rejection of a fresh access token. Default: the authorization is revoked. */
  unauthorized?(errorResponse: ErrorResponse): SourceError;
  /** The `authorization` header for providers with API keys instead of OAuth; `classify` handles its 401. */
  readonly authorization?: string;
  /** The same for providers with other headers or parameters for their keys. */
  readonly keys?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string>>;
  };
  /** The same for providers whose requests are signed: the headers to add to a request. They are not sent to other origins. */
  readonly sign?: (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For downloads from other hosts. Default false. */
  readonly followsRedirects?: boolean;
}
