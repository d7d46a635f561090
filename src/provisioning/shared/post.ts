import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

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
 * Sends one request and reads the beginning of its response. Follows no redirects. A received status is final, even if
 * the rest of the response fails, and a response that exceeds its size or time limit is cut off.
 * @throws the error of undici when no response is received, an error named `TimeoutError`, or the reason of `signal`
 */
export function post(
  dispatcher: Dispatcher,
  { url, headers, body }: HttpMessage,
  timeouts: HttpTimeouts,
): Promise<HttpAnswer> {
  const { idleMs } = timeouts;
  const exchange = new HttpExchange(timeouts);
  dispatcher.dispatch(
    {
      method: 'POST',
      origin: url.origin,
      path: url.pathname + url.search,
      headers,
      body: body as Buffer, // any iterable, which undici's types do not allow
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    },
    exchange,
  );
  return exchange.response;
}

/** One request in flight. Implements undici's handler directly, without its response stream, buffers and signals. */
class HttpExchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<HttpAnswer>;
  private readonly resolve: (answer: HttpAnswer) => void;
  private readonly reject: (reason: unknown) => void;
  private controller?: Dispatcher.DispatchController;
  private abortReason?: unknown;
  private head?: Omit<HttpAnswer, 'excerpt'>;
  private readonly parts: Buffer[] = [];
  private length = 0;
  private readonly deadline: number;
  private timer: NodeJS.Timeout;
  private readonly onAbort = (): void => this.abort(this.timeouts.signal!.reason);

  constructor(private readonly timeouts: HttpTimeouts) {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    [this.response, this.resolve, this.reject] = [promise, resolve, reject];
    this.deadline = performance.now() + timeouts.totalMs;
    const late = (): void => this.abort(new DOMException('The message took too long.', 'TimeoutError'));
    this.timer = setTimeout(late, timeouts.totalMs);
    if (timeouts.signal?.aborted) this.onAbort();
    else timeouts.signal?.addEventListener('abort', this.onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.abortReason) controller.abort(this.abortReason as Error);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.head = { status, headers };
    const { responseMs } = this.timeouts;
    if (!responseMs) return;
    clearTimeout(this.timer);
    const left = Math.min(responseMs(), this.deadline - performance.now());
    this.timer = setTimeout(() => this.abort(), Math.max(left, FINAL_READ_MS));
  }

  onResponseData(_: Dispatcher.DispatchController, part: Buffer): void {
    if (this.length < EXCERPT_BYTES) this.parts.push(part);
    this.length += part.length;
    if (this.length > MAX_RESPONSE_BYTES) this.abort();
  }

  onResponseEnd(): void {
    this.finish();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.finish(error);
  }

  /** Closes the connection, or has it closed as soon as it exists. */
  private abort(reason: unknown = new Error('The rest of the answer is not wanted.')): void {
    this.abortReason = reason;
    this.finish(reason);
    this.controller?.abort(reason as Error);
  }

  private finish(reason?: unknown): void {
    clearTimeout(this.timer);
    this.timeouts.signal?.removeEventListener('abort', this.onAbort);
    if (!this.head) return this.reject(reason);
    const excerpt = Buffer.concat(this.parts).subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
    this.resolve({ ...this.head, excerpt });
  }
}
