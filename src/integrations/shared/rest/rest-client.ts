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

/** More than this is no answer that is made to be held in memory. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** How often a download goes on after the line broke; counted anew whenever bytes have come. */
const MAX_ATTEMPTS = 3;

type Value = string | number | boolean;
/** Parameters of a request; a list is one that is repeated. */
export type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>;

/** One request of an API. It may be repeated without harm, also with a body: providers that have every call be a POST. */
interface RestRequest {
  readonly path: string;
  readonly query?: Query;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer that is no success, with as much of its body as may be told apart. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body when it is JSON; null otherwise. */
  readonly body: unknown;
  /** Whether it comes from where the provider has sent us, without our token (`followsRedirects`). */
  readonly isFromRedirect?: boolean;
}

export interface RestOptions {
  /** For messages. */
  readonly provider: string;
  /** What a refusal of this provider means. Access tokens that it refuses (401) have been dealt with before. */
  classify(errorResponse: ErrorResponse): SourceError;
  /** What it means that a fresh access token is refused. Default: that the authorisation is gone. */
  unauthorized?(errorResponse: ErrorResponse): SourceError;
  /** The whole `authorization` header, where users give a key of theirs instead of authorising us; its 401 is `classify`'s. */
  readonly authorization?: string;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For downloads that lie on hosts of their own. Default false. */
  readonly followsRedirects?: boolean;
}

/**
 * Speaks with the API of a provider on behalf of one connection. The access token or key goes to the API's own origin alone,
 * wherever redirects lead; one 401 costs a token, two in a row the authorisation. What breaks on the way is `Transient`.
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

  /** The answer to a GET. @throws what `classify` says, AuthorizationRevoked, Transient, UnexpectedResponse, the signal's reason */
  json<T>(path: string, query: Query = {}): Promise<T> {
    return this.requestObject({ path, query });
  }

  /** The answer to a POST that changes nothing: a question with a body. @throws as `json` */
  post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.requestObject({ path, method: 'POST', headers, body: JSON.stringify(body) });
  }

  /**
   * The bytes of a GET, or of a POST that is all header. A line that breaks, and a token that ends in the middle, are mended by
   * asking for the rest; that it is the rest of the same bytes is for the reader to check where no ETag and no length tell.
   * Where the API gives no rest, the stream fails with `ConnectionLost`; a redirect to nowhere is `DocumentUnavailable`.
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
        response.body.on('error', () => undefined).destroy(); // it would be the whole again
        throw new Transient(`${this.options.provider} does not go on where a download was cut off.`);
      }
    }
  }

  private async requestObject<T>(request: RestRequest): Promise<T> {
    const body = await this.readJson(await this.request(request));
    if (body === null || typeof body !== 'object') {
      throw new UnexpectedResponse(`${this.options.provider} answers something else than JSON to ${request.path}.`);
    }
    return body as T;
  }

  /** An answer that is a success. 202 is none: what was asked for is still being made. */
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
    const errorResponse = { status, headers, body: await this.readJson(response), isElsewhere: !isTrusted };
    if (status === 401 && isTrusted && key === undefined) {
      const gone = new AuthorizationRevoked(`${this.options.provider} refuses a fresh access token.`);
      throw this.options.unauthorized?.(errorResponse) ?? gone;
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
      // Only downloads follow redirects: one that leads nowhere is that document's own.
      throw error instanceof SelectionNotFound
        ? new DocumentUnavailable(error.message, false, { cause: error })
        : error;
    }
  }

  /** The JSON of a body; null when it is none. */
  private async readJson(response: SourceHttpResponse): Promise<unknown> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.http.bytes(response)) {
      parts.push(part);
      size += part.length;
      if (size > MAX_JSON_BYTES) throw new UnexpectedResponse(`${this.options.provider} answers without end.`);
    }
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8'));
    } catch {
      return null;
    }
  }
}

/** Whether an answer goes on at that place, with what the first one has begun (RFC 9110 section 14.4). */
function isContinuation(response: SourceHttpResponse, first: SourceHttpResponse, position: number): boolean {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(response.headers['content-range'])) ?? [];
  const { etag, 'content-length': length } = first.headers;
  const isSameLength = total === '*' || length === undefined || total === length;
  const isSameVersion = etag === undefined || response.headers.etag === undefined || etag === response.headers.etag;
  return response.status === 206 && Number(from) === position && isSameLength && isSameVersion;
}
