import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** decisions 6: so much of the answer is kept. */
const EXCERPT_BYTES = 1024;
/** An answer is read to its end up to here, so that the connection can be used again. */
const MAX_RESPONSE_BYTES = 64 * 1024;
/** What has come with the last headers at the last moment is still read. */
const FINAL_READ_MS = 100;

/** A message to a client's address. */
export interface HttpMessage {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | AsyncIterable<Buffer>;
}

/** How long a message may take, in milliseconds. */
export interface HttpTimeouts {
  readonly totalMs: number;
  /** For the receiver to take more of it, and to say more. */
  readonly idleMs: number;
  /** Asked when the answer has begun: how long the rest of it may take. */
  readonly responseMs?: () => number;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

/** What a client has answered. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of what it says. */
  readonly excerpt: string;
}

/**
 * Sends one message and reads the beginning of its answer. Follows no redirects. Once a status has arrived it stands, whatever
 * becomes of the rest, and an answer that goes on for long, by bytes or by the clock, is cut off.
 * @throws what undici throws when no answer comes, an error named `TimeoutError`, or the reason of `cut`
 */
export function post(
  dispatcher: Dispatcher,
  { url, headers, body }: HttpMessage,
  patience: HttpTimeouts,
): Promise<HttpAnswer> {
  const { idleMs: silenceMs } = patience;
  const exchange = new HttpExchange(patience);
  dispatcher.dispatch(
    {
      method: 'POST',
      origin: url.origin,
      path: url.pathname + url.search,
      headers,
      body: body as Buffer, // any iterable, which its types do not know
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    },
    exchange,
  );
  return exchange.response;
}

/** One message on its way. What undici makes of an answer for everybody, a stream with its buffers and signals, it does without. */
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
    const { responseMs: answerMs } = this.timeouts;
    if (!answerMs) return;
    clearTimeout(this.timer);
    const left = Math.min(answerMs(), this.deadline - performance.now());
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

  /** Closes the connection, or has it closed as soon as there is one. */
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
