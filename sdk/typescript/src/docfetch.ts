import { createClient } from './generated/client/client.gen.js';
import type { Client } from './generated/client/types.gen.js';
import { REPEATABLE_POSTS } from './generated/repeatable.gen.js';
import { DocfetchConnectionError, DocfetchError } from './errors.js';
import { type Fetch, retrying } from './retry.js';

/** What every function of this package takes as `client`. */
export type Docfetch = Client;

export interface DocfetchOptions {
  /** Where the service is, e.g. `https://docfetch.example.com`. */
  readonly baseUrl: string;
  /** The key of your environment. For backends only: never give it to a browser. */
  readonly apiKey?: string;
  /** A UI token, or what gets one; asked before each request, so that it may be renewed. */
  readonly token?: string | (() => string | Promise<string>);
  /** The language of messages and labels; `en` unless the runtime sends `Accept-Language`. */
  readonly lang?: 'en' | 'de';
  /** How often a request is repeated at the most, see `retrying` in the README; 0 switches it off. Default 2. */
  readonly maxRetries?: number;
  /** A `Retry-After` that is longer is not waited for: the error is thrown at once. Default 30 000. */
  readonly maxRetryWaitMs?: number;
  /** How long one attempt may wait for the beginning of the answer. Default 60 000. */
  readonly timeoutMs?: number;
  /** Another `fetch`, e.g. with a proxy. */
  readonly fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
}

/**
 * The way to a Docfetch service. Keep one for as long as you like; it holds no connection and no state.
 * Each function sends the credentials that its endpoint takes, out of those that are given here.
 * @throws TypeError when `baseUrl` is no absolute http(s) address
 */
export function createDocfetch(options: DocfetchOptions): Docfetch {
  if (!isAddress(options.baseUrl)) throw new TypeError(`baseUrl is no http(s) address: ${options.baseUrl}`);
  const overNetwork: Fetch = (request, init) => globalThis.fetch(request, init);
  const client = createClient({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: options.lang ? { Lang: options.lang } : {},
    auth: async ({ name }) => {
      if (name === 'X-API-KEY') return options.apiKey;
      return typeof options.token === 'function' ? options.token() : options.token;
    },
    // The service never redirects; whoever does shall not get the key.
    redirect: 'manual',
    throwOnError: true,
    fetch: retrying({
      fetch: options.fetch ?? overNetwork,
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
  client.interceptors.response.use((response, _request, requested) => {
    // Without this, an answer without content would be {}, which nobody could tell from one with content.
    if (response.status === 204) requested.parseAs = 'stream';
    return response;
  });
  client.interceptors.error.use((error, response, request) => {
    if (response && !response.ok) return new DocfetchError(response, error);
    if (request?.signal.aborted || error instanceof DocfetchConnectionError) return error;
    if (!request) return error; // It could not even be asked: a mistake of the caller.
    return new DocfetchConnectionError(`${request.method} ${request.url} got no answer`, { cause: error });
  });
  return client;
}

function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
