import { DocfetchConnectionError, retryAfterOf } from './errors.js';

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

export interface RetryOptions {
  readonly fetch: Fetch;
  readonly maxRetries: number;
  readonly maxRetryWaitMs: number;
  readonly timeoutMs: number;
}

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** Idempotent methods (RFC 9110 9.2.2). */
const IDEMPOTENT_METHODS = ['GET', 'HEAD', 'PUT', 'DELETE'];
/** Status codes of transient errors of the service or of a proxy in front of it. */
const TRANSIENT = [500, 502, 503, 504];
/** Responses that a script cannot create with a body, although browsers give them an empty one. */
const NO_CONTENT = [204, 205, 304];

/**
 * A `fetch` with retries: idempotent methods and requests with an `Idempotency-Key` after transient errors, and any request
 * after 429, because it was not processed. Waits for `Retry-After`, or returns the response when that is longer than
 * `maxRetryWaitMs`; without the header it waits with exponential backoff and jitter.
 */
export function retrying(options: RetryOptions): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= options.maxRetries;
      const backoff = Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt);
      let response: Response;
      try {
        response = await fetchOnce(isLast ? request : request.clone(), options);
      } catch (error) {
        if (isLast || request.signal.aborted || !isIdempotent(request)) throw error;
        await pause(backoff, request.signal);
        continue;
      }
      if (isLast || !(await isRetryable(request, response))) return response;
      const seconds = retryAfterOf(response);
      if (seconds !== null && seconds * 1000 > options.maxRetryWaitMs) return response;
      await response.body?.cancel();
      await pause(seconds === null ? backoff : seconds * 1000, request.signal);
    }
  };
}

/**
 * One attempt. The time limit applies to the wait for the response, and to each wait for more of it: the download of a large
 * document has no limit. JSON is read to its end, so that an answer that breaks off is repeated.
 */
async function fetchOnce(request: Request, { fetch, timeoutMs }: RetryOptions): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort(request.signal.reason);
  if (request.signal.aborted) abort();
  else request.signal.addEventListener('abort', abort, { once: true });
  const limited = async <T>(act: () => Promise<T>): Promise<T> => {
    const timeout = new DocfetchConnectionError(`No response within ${timeoutMs} ms`);
    const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
    try {
      return await act();
    } catch (error) {
      throw controller.signal.reason === timeout ? timeout : error;
    } finally {
      clearTimeout(timer);
    }
  };
  const response = await limited(() => fetch(request, { signal: controller.signal }));
  if (!response.body || NO_CONTENT.includes(response.status)) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (stream) => {
        const { done, value } = await limited(() => reader.read()).catch((error: unknown) => {
          throw controller.signal.aborted
            ? error
            : new DocfetchConnectionError('The response ended early', { cause: error });
        });
        if (done) stream.close();
        else stream.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const copy = new Response(body, response);
  return /\bjson\b/.test(response.headers.get('Content-Type') ?? '')
    ? new Response((await copy.text()) || null, copy)
    : copy;
}

const isIdempotent = ({ method, headers }: Request): boolean =>
  IDEMPOTENT_METHODS.includes(method) || headers.has('Idempotency-Key');

async function isRetryable(request: Request, response: Response): Promise<boolean> {
  if (response.status === 429) return true;
  if (TRANSIENT.includes(response.status)) return isIdempotent(request);
  // The first request with this key is still being processed; a retry returns its response.
  return response.status === 409 && request.headers.has('Idempotency-Key') && (await codeOf(response)) === IN_PROGRESS;
}

const IN_PROGRESS = 'IDEMPOTENCY_IN_PROGRESS';

async function codeOf(response: Response): Promise<unknown> {
  try {
    return ((await response.clone().json()) as { code?: unknown }).code;
  } catch {
    return null;
  }
}

/** Resolves after `ms`; rejects with the reason of the signal if that is aborted first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
