import { addAbortListener } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { currentTraceparent } from '../../platform/request/work-scope';
import { abortable, endAfter } from '../../platform/concurrency/cancellation';

/** decisions 6: bytes of the response that are kept. */
const EXCERPT_BYTES = 1024;
/** A response is read to its end up to this many bytes, so that the connection can be reused. */
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Data that arrived together with the last headers at the deadline is still read. */
const FINAL_READ_MS = 100;

/** A request to a client's address. */
export interface HttpMessage {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | AsyncIterable<Buffer>;
}

/** Timeouts of a request, in milliseconds. */
export interface HttpTimeouts {
  readonly totalMs: number;
  /** Without progress, while the receiver takes the body or sends its response. */
  readonly idleMs: number;
  /** Called when the response has begun: the time that the rest of it may take. */
  readonly responseMs?: () => number;
  /** Aborts it immediately. */
  readonly signal?: AbortSignal;
}

/** The response of a client. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  readonly excerpt: string;
}

/**
 * Sends one request, with the `traceparent` of the current span, and reads the beginning of its response. Follows no redirects. A
 * received status is final, even if the rest of the response fails, and a response that exceeds its size or time limit is cut off.
 * @throws the error of undici when no response is received, an error named `TimeoutError`, or the reason of `signal`
 */
export async function post(
  dispatcher: Dispatcher,
  { url, headers, body }: HttpMessage,
  { totalMs, idleMs, responseMs, signal }: HttpTimeouts,
): Promise<HttpAnswer> {
  const cut = new AbortController();
  const traceparent = currentTraceparent();
  const deadline = performance.now() + totalMs;
  const abort = (): void => cut.abort(new DOMException('The message took too long.', 'TimeoutError'));
  let timer = endAfter(totalMs, abort);
  const listener = signal && addAbortListener(signal, () => cut.abort(signal.reason));
  try {
    const request = dispatcher.request({
      method: 'POST',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: traceparent === null ? headers : { ...headers, traceparent },
      body: body as Buffer, // any iterable, which undici's types do not allow
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      signal: cut.signal,
    });
    // undici aborts a request that waits for a connection only when there is one.
    const response = await abortable(request, cut.signal);
    if (responseMs) {
      clearTimeout(timer);
      timer = endAfter(Math.max(Math.min(responseMs(), deadline - performance.now()), FINAL_READ_MS), abort);
    }
    return { status: response.statusCode, headers: response.headers, excerpt: await readExcerpt(response.body) };
  } finally {
    clearTimeout(timer);
    listener?.[Symbol.dispose]();
  }
}

/** Reads a body to its end or its limit, beyond which its connection is closed. Never rejects: what has arrived counts. */
async function readExcerpt(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of body) {
      if (length < EXCERPT_BYTES) parts.push(part);
      length += part.length;
      if (length > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status has been received.
  }
  return Buffer.concat(parts).subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}
