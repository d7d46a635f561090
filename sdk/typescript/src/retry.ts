import { DocfetchConnectionError, retryAfterOf } from './errors.js';

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

export interface RetryOptions {
  readonly fetch: Fetch;
  readonly maxRetries: number;
  readonly maxRetryWaitMs: number;
  readonly timeoutMs: number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** Methods of which the second time changes nothing (RFC 9110 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'PUT', 'DELETE'];
/** Passing faults of the service or of something in front of it. */
const PASSING = [500, 502, 503, 504];

/**
 * A `fetch` that repeats what may be repeated: idempotent methods and requests with an `Idempotency-Key` after passing
 * faults, anything after 429, which says that nothing was done. It waits as long as `Retry-After` says, or not at all
 * when that is longer than `maxRetryWaitMs`; without the header it backs off, with jitter.
 */
export function retrying(options: RetryOptions): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= options.maxRetries;
      const backoff = Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** attempt);
      let response: Response;
      try {
        response = await answerTo(isLast ? request : request.clone(), options);
      } catch (error) {
        if (isLast || request.signal.aborted || !isSafe(request)) throw error;
        await pause(backoff, request.signal);
        continue;
      }
      if (isLast || !(await isPassing(request, response))) return response;
      const seconds = retryAfterOf(response);
      const wait = seconds === null ? backoff : seconds * 1000;
      if (wait > options.maxRetryWaitMs) return response;
      await response.body?.cancel();
      await pause(wait, request.signal);
    }
  };
}

/** One attempt. The time limit is for the answer to begin: a long document may take as long as it takes. */
async function answerTo(request: Request, { fetch, timeoutMs }: RetryOptions): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort(request.signal.reason);
  if (request.signal.aborted) abort();
  else request.signal.addEventListener('abort', abort, { once: true });
  const late = new DocfetchConnectionError(`No answer within ${timeoutMs} ms`);
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  try {
    return await fetch(request, { signal: controller.signal });
  } catch (error) {
    throw controller.signal.reason === late ? late : error;
  } finally {
    clearTimeout(timer);
  }
}

const isSafe = ({ method, headers }: Request): boolean => IDEMPOTENT.includes(method) || headers.has('Idempotency-Key');

async function isPassing(request: Request, response: Response): Promise<boolean> {
  if (response.status === 429) return true;
  if (PASSING.includes(response.status)) return isSafe(request);
  // The first request with this key is still running: its answer can be had in a moment.
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

/** Resolves after `ms`, rejects with the signal's reason when that comes first. */
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
