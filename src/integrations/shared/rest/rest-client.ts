import { Readable } from 'node:stream';
import type { Session } from '../../core/integration';
import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  DocumentUnavailable,
  type SourceError,
  Transient,
} from '../../core/source-errors';
import { discardBody, type SourceHttpResponse, SourceHttpClient } from '../http/source-http-client';
import { ConnectionLost } from '../tree-sync/files/resumable-read';

/** The maximum size of a response that is held in memory. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Attempts to resume a download after the connection breaks, reset whenever bytes arrive. */
const MAX_ATTEMPTS = 3;

type Value = string | number | boolean;
/** Query parameters; a list is a repeated parameter. */
export type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>;

/** An idempotent API request, also as a POST for providers whose calls are all POST. */
interface RestRequest {
  readonly path: string;
  readonly query?: Query;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
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
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For downloads from other hosts. Default false. */
  readonly followsRedirects?: boolean;
}

/**
 * Calls a provider's API for one connection. The access token or key is sent to the API's own origin only, wherever redirects lead.
 * After one 401 the token is renewed, after two in a row the authorization counts as revoked. Network failures are `Transient`.
 */
export class RestClient {
  private readonly http: SourceHttpClient;

  constructor(
    private readonly session: Pick<Session, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>,
    private readonly options: RestOptions,
  ) {
    const { provider, followsRedirects = false } = options;
    this.http = new SourceHttpClient(session.network, session.signal, provider, followsRedirects);
  }

  /** The JSON response of a GET. @throws what `classify` returns, AuthorizationRevoked, Transient, UnexpectedResponse, or the signal's reason */
  json<T>(path: string, query: Query = {}): Promise<T> {
    return this.requestObject({ path, query });
  }

  /** The JSON response of a read-only POST. @throws as `json` */
  post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.requestObject({ path, method: 'POST', headers, body: JSON.stringify(body) });
  }

  /**
   * The content of a GET, or of a POST without body. After a broken connection or an expired token it resumes with a range request;
   * where neither ETag nor length identify the version, the reader has to check it. Without range support (`givesRest`) the stream
   * fails with `ConnectionLost`. An invalid redirect is `DocumentUnavailable`.
   */
  async bytes(
    path: string,
    query: Query = {},
    { givesRest = true, ...more }: Pick<RestRequest, 'method' | 'headers'> & { readonly givesRest?: boolean } = {},
  ): Promise<{ stream: Readable; size: number | undefined; mimeType: string }> {
    const request = { path, query, ...more };
    const first = await this.request(request);
    const length = Number(first.headers['content-length']);
    const mimeType = String(first.headers['content-type'] ?? 'application/octet-stream')
      .split(';')[0]!
      .trim();
    return {
      stream: Readable.from(givesRest ? this.readResuming(first, request) : this.http.bytes(first), {
        objectMode: false,
      }),
      size: Number.isSafeInteger(length) ? length : undefined,
      mimeType,
    };
  }

  private async *readResuming(first: SourceHttpResponse, request: RestRequest): AsyncGenerator<Buffer> {
    let position = 0;
    let response = first;
    for (let attempts = MAX_ATTEMPTS; ;) {
      try {
        for await (const bytes of this.http.bytes(response)) {
          position += bytes.length;
          attempts = MAX_ATTEMPTS;
          yield bytes;
        }
        return;
      } catch (error) {
        if (!(error instanceof ConnectionLost) || --attempts === 0) throw error;
      }
      response = await this.request(request, position);
      if (position > 0 && !isContinuation(response, first, position)) {
        response.body.on('error', () => undefined).destroy(); // it is the whole content again
        throw new Transient(`${this.options.provider} does not resume a download that was cut off.`);
      }
    }
  }

  private async requestObject<T>(request: RestRequest): Promise<T> {
    const body = await this.readJson(await this.request(request));
    if (body === null || typeof body !== 'object') {
      throw new UnexpectedResponse(`${this.options.provider} does not answer with JSON to ${request.path}.`);
    }
    return body as T;
  }

  /** A successful response. A 202 is not successful, because the content is still being prepared. */
  private async request(request: RestRequest, from = 0): Promise<SourceHttpResponse> {
    const { authorization: key } = this.options;
    let token = key === undefined ? await this.session.accessToken() : '';
    let response = await this.send(request, key ?? `Bearer ${token}`, from);
    if (response.status === 401 && key === undefined && response.isTrusted) {
      await discardBody(response);
      token = await this.session.accessToken(token);
      response = await this.send(request, `Bearer ${token}`, from);
    }
    const { status, headers, isTrusted } = response;
    if (status >= 200 && status < 300 && status !== 202) return response;
    const errorResponse = { status, headers, body: await this.readJson(response), isFromRedirect: !isTrusted };
    if (status === 401 && isTrusted && key === undefined) {
      const revoked = new AuthorizationRevoked(`${this.options.provider} refuses a fresh access token.`);
      throw this.options.unauthorized?.(errorResponse) ?? revoked;
    }
    throw this.options.classify(errorResponse);
  }

  private async send(request: RestRequest, authorization: string, from: number): Promise<SourceHttpResponse> {
    const { path, query = {}, method = 'GET', body, headers } = request;
    const url = new URL(this.session.apiBaseUrl + path);
    for (const [name, values] of Object.entries(query)) {
      for (const value of [values ?? []].flat()) url.searchParams.append(name, String(value));
    }
    const all = { accept: '*/*', ...this.options.headers, ...headers, ...(from > 0 && { range: `bytes=${from}-` }) };
    try {
      return await this.http.send(
        { origin: url.origin, path: url.pathname + url.search },
        { method, headers: all, secrets: { authorization }, ...(body !== undefined && { body }) },
      );
    } catch (error) {
      // Only downloads follow redirects, so an invalid one concerns that document.
      throw error instanceof SelectionNotFound
        ? new DocumentUnavailable(error.message, false, { cause: error })
        : error;
    }
  }

  /** The parsed body; null when it is not JSON. */
  private async readJson(response: SourceHttpResponse): Promise<unknown> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.http.bytes(response)) {
      parts.push(part);
      size += part.length;
      if (size > MAX_JSON_BYTES)
        throw new UnexpectedResponse(`${this.options.provider} sends a response that is too large.`);
    }
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8'));
    } catch {
      return null;
    }
  }
}

/** Whether a response continues the first one at this position (RFC 9110 section 14.4). */
function isContinuation(response: SourceHttpResponse, first: SourceHttpResponse, position: number): boolean {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(response.headers['content-range'])) ?? [];
  const { etag, 'content-length': length } = first.headers;
  const isSameLength = total === '*' || length === undefined || total === length;
  const isSameVersion = etag === undefined || response.headers.etag === undefined || etag === response.headers.etag;
  return response.status === 206 && Number(from) === position && isSameLength && isSameVersion;
}
