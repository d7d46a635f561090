import { createClient } from './generated/client/client.gen.js';
import type { Client } from './generated/client/types.gen.js';
import { REPEATABLE_POSTS } from './generated/repeatable.gen.js';
import { DocfetchConnectionError, DocfetchError } from './errors.js';
import { type Fetch, retrying } from './retry.js';

/** The client that every function of this package takes as `client`. */
export type Docfetch = Client;

export interface DocfetchOptions {
  /** The base URL of the service, e.g. `https://docfetch.example.com`. */
  readonly baseUrl: string;
  /** The API key of your environment. Only for backends: never send it to a browser. */
  readonly apiKey?: string;
  /** A UI token, or a function that returns one; it is called before each request, so that it can renew the token. */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * The session of the console, for its own page: requests send the cookie of the page, which only works on the service's origin, with
   * `X-CSRF-TOKEN` and `X-ENVIRONMENT`.
   */
  readonly session?: { readonly csrfToken: string; readonly environmentUuid?: string };
  /** The language of messages and labels; `en` unless the runtime sends `Accept-Language`. */
  readonly lang?: 'en' | 'de';
  /** Maximum number of retries of a request, see "Retries" in the README; 0 disables retries. Default 2. */
  readonly maxRetries?: number;
  /** If `Retry-After` is longer than this, the error is thrown immediately. Default 30 000. */
  readonly maxRetryWaitMs?: number;
  /** Maximum time per attempt until the response begins, and of each wait for more of it. Default 60 000. */
  readonly timeoutMs?: number;
  /** A custom `fetch`, e.g. with a proxy. */
  readonly fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
}

/**
 * Creates a client of a Docfetch service. It can be kept and shared; it holds no connection and no state.
 * Each function sends those of the given credentials that its endpoint accepts.
 * @throws TypeError when `baseUrl` is not an absolute http(s) URL, or has credentials or a query
 */
export function createDocfetch(options: DocfetchOptions): Docfetch {
  // Without its value, which may be a key in the wrong place.
  if (!isBaseUrl(options.baseUrl)) throw new TypeError('baseUrl is not an http(s) URL without credentials and query');
  const globalFetch: Fetch = (request, init) => globalThis.fetch(request, init);
  const client = createClient({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: { ...(options.lang && { Lang: options.lang }), ...sessionHeaders(options.session) },
    credentials: options.session ? 'same-origin' : undefined,
    auth: async ({ name }) => {
      if (name === 'X-API-KEY') return checked(options.apiKey);
      if (name !== 'X-TOKEN') return undefined;
      return checked(typeof options.token === 'function' ? await options.token() : options.token);
    },
    // The service never redirects, and the key must not be sent to another server.
    redirect: 'manual',
    throwOnError: true,
    fetch: retrying({
      fetch: options.fetch ?? globalFetch,
      maxRetries: options.maxRetries ?? 2,
      maxRetryWaitMs: options.maxRetryWaitMs ?? 30_000,
      timeoutMs: options.timeoutMs ?? 60_000,
    }) as typeof fetch,
  });
  client.interceptors.request.use((request, { url }) => {
    if (request.method === 'POST' && REPEATABLE_POSTS.includes(url) && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', crypto.randomUUID());
    }
    return request;
  });
  client.interceptors.response.use((response, _request, requestOptions) => {
    // Otherwise an empty response would be parsed as {}, which looks like a response with content.
    if (response.status === 204) requestOptions.parseAs = 'stream';
    else if (response.ok && /auto|json/.test(requestOptions.parseAs ?? '') && !hasType(response, requestOptions.url)) {
      void response.body?.cancel();
      throw new DocfetchError(response, null);
    }
    return response;
  });
  client.interceptors.error.use((error, response, request) => {
    if (error instanceof DocfetchError || error instanceof DocfetchConnectionError) return error;
    if (response && (!response.ok || error instanceof SyntaxError)) return new DocfetchError(response, error);
    if (request?.signal.aborted) return error;
    if (!request) return error; // The request could not be created: an error of the caller.
    return new DocfetchConnectionError(`${request.method} ${request.url} received no response`, { cause: error });
  });
  return client;
}

function sessionHeaders(session: DocfetchOptions['session']): Record<string, string> {
  if (!session) return {};
  const { csrfToken, environmentUuid } = session;
  return { 'X-CSRF-TOKEN': csrfToken, ...(environmentUuid !== undefined && { 'X-ENVIRONMENT': environmentUuid }) };
}

function isBaseUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    return /^https?:$/.test(protocol) && !username && !password && !/[?#]/.test(text);
  } catch {
    return false;
  }
}

/** Runtimes show the value when they refuse a header, e.g. for a line break. */
function checked(credential: string | undefined): string | undefined {
  if (credential && !/^[!-~]+$/.test(credential))
    throw new TypeError('A credential has a space or another such character');
  return credential;
}

/** Whether a success has a type that the operation can have: only two operations return a page. */
function hasType({ body, headers }: Response, url: string): boolean {
  const type = headers.get('Content-Type');
  return body !== null && type !== null && (!type.startsWith('text/html') || /^\/oauth\/start$|\/readable$/.test(url));
}
