import { Readable } from 'node:stream';
import type { Session } from '../../core/integration';
import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  DocumentUnavailable,
  Transient,
} from '../../core/source-errors';
import { discardBody, type SourceHttpResponse, SourceHttpClient } from '../http/source-http-client';
import { isContinuation } from './continuation';
import type { Query, RestOptions, RestRequest } from './rest-request';
import { ConnectionLost } from '../tree-sync/files/resumable-read';

/** The maximum size of a response that is held in memory. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Attempts to resume a download after the connection breaks, reset whenever bytes arrive. */
const MAX_ATTEMPTS = 3;

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
   * The JSON response, an object or a list, with its headers; an empty list for 204 (no content).
   * @throws as `json`, UnexpectedResponse for an address of another origin
   */
  async exchange(request: RestRequest): Promise<{ body: object; headers: SourceHttpResponse['headers'] }> {
    const response = await this.request(request);
    const { status, headers } = response;
    if (status !== 204) return { body: await this.objectOf(response, request), headers };
    await discardBody(response);
    return { body: [], headers };
  }

  /**
   * The content of a GET, or of a POST without body. After a broken connection or an expired token it resumes with a range request;
   * where neither ETag nor length identify the version, the reader has to check it. Without range support (`givesRest`) the stream
   * fails with `ConnectionLost`. An invalid redirect is `DocumentUnavailable`.
   */
  async bytes(
    path: string,
    query: Query = {},
    {
      givesRest = true,
      ...more
    }: Pick<RestRequest, 'method' | 'headers' | 'url' | 'body'> & { readonly givesRest?: boolean } = {},
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
    return (await this.objectOf(await this.request(request), request)) as T;
  }

  private async objectOf(response: SourceHttpResponse, { path }: RestRequest): Promise<object> {
    const body = await this.readJson(response);
    if (body !== null && typeof body === 'object') return body;
    throw new UnexpectedResponse(`${this.options.provider} does not answer with JSON to ${path}.`);
  }

  /** A successful response. A 202 is not successful, because the content is still being prepared. */
  private async request(request: RestRequest, from = 0): Promise<SourceHttpResponse> {
    const { authorization: key, keys, sign } = this.options;
    const secrets = sign ? {} : (keys?.headers ?? (key === undefined ? undefined : { authorization: key }));
    let token = secrets ? '' : await this.session.accessToken();
    let response = await this.send(request, secrets ?? { authorization: `Bearer ${token}` }, from);
    if (response.status === 401 && !secrets && response.isTrusted) {
      await discardBody(response);
      token = await this.session.accessToken(token);
      response = await this.send(request, { authorization: `Bearer ${token}` }, from);
    }
    const { status, headers, isTrusted } = response;
    if (status >= 200 && status < 300 && status !== 202) return response;
    const errorResponse = { status, headers, body: await this.readJson(response), isFromRedirect: !isTrusted };
    if (status === 401 && isTrusted && !secrets) {
      const revoked = new AuthorizationRevoked(`${this.options.provider} refuses a fresh access token.`);
      throw this.options.unauthorized?.(errorResponse) ?? revoked;
    }
    throw this.options.classify(errorResponse);
  }

  private async send(
    request: RestRequest,
    secrets: Readonly<Record<string, string>>,
    from: number,
  ): Promise<SourceHttpResponse> {
    const { query = {}, method = 'GET', body, headers } = request;
    const url = this.addressOf(request);
    for (const [name, values] of Object.entries(query)) {
      for (const value of [values ?? []].flat()) url.searchParams.append(name, String(value));
    }
    // An address from the provider may contain the key already.
    for (const [name, value] of Object.entries(this.options.keys?.query ?? {})) url.searchParams.set(name, value);
    const all = { accept: '*/*', ...this.options.headers, ...headers, ...(from > 0 && { range: `bytes=${from}-` }) };
    const signed = await this.options.sign?.({ method, url, headers: all, body: body ?? '' });
    try {
      return await this.http.send(
        { origin: url.origin, path: url.pathname + url.search },
        { method, headers: all, secrets: { ...secrets, ...signed }, ...(body !== undefined && { body }) },
      );
    } catch (error) {
      // Only downloads follow redirects, so an invalid one concerns that document.
      throw error instanceof SelectionNotFound
        ? new DocumentUnavailable(error.message, false, { cause: error })
        : error;
    }
  }

  /** @throws UnexpectedResponse for an address of another origin, which must not receive the credentials */
  private addressOf({ path, url }: RestRequest): URL {
    if (url === undefined) return new URL(this.session.apiBaseUrl + path);
    const { origin } = new URL(this.session.apiBaseUrl);
    if (URL.canParse(url) && new URL(url).origin === origin) return new URL(url);
    throw new UnexpectedResponse(`${this.options.provider} names an address of another server.`);
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
