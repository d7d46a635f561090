import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** decisions 6: so much of the answer is kept. */
const EXCERPT_BYTES = 1024;
/** An answer is read to its end up to here, so that the connection can be used again. */
const DRAIN_BYTES = 64 * 1024;
/** What has come with the last headers at the last moment is still read. */
const LAST_LOOK_MS = 100;

/** A message to a client's address. */
export interface Message {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | AsyncIterable<Buffer>;
}

/** How long a message may take, in milliseconds. */
export interface Patience {
  readonly wholeMs: number;
  /** For the receiver to take more of it, and to say more. */
  readonly silenceMs: number;
  /** Asked when the answer has begun: how long the rest of it may take. */
  readonly answerMs?: () => number;
  /** Ends it at once. */
  readonly cut?: AbortSignal;
}

/** What a client has answered. */
export interface Answer {
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
export function post(dispatcher: Dispatcher, { url, headers, body }: Message, patience: Patience): Promise<Answer> {
  const { silenceMs } = patience;
  const exchange = new Exchange(patience);
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
  return exchange.answer;
}

/** One message on its way. What undici makes of an answer for everybody, a stream with its buffers and signals, it does without. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  private readonly resolve: (answer: Answer) => void;
  private readonly reject: (reason: unknown) => void;
  private controller?: Dispatcher.DispatchController;
  private stopped?: unknown;
  private head?: Omit<Answer, 'excerpt'>;
  private readonly parts: Buffer[] = [];
  private length = 0;
  private readonly until: number;
  private timer: NodeJS.Timeout;
  private readonly onCut = (): void => this.stop(this.patience.cut!.reason);

  constructor(private readonly patience: Patience) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    [this.answer, this.resolve, this.reject] = [promise, resolve, reject];
    this.until = performance.now() + patience.wholeMs;
    const late = (): void => this.stop(new DOMException('The message took too long.', 'TimeoutError'));
    this.timer = setTimeout(late, patience.wholeMs);
    if (patience.cut?.aborted) this.onCut();
    else patience.cut?.addEventListener('abort', this.onCut);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.stopped) controller.abort(this.stopped as Error);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.head = { status, headers };
    const { answerMs } = this.patience;
    if (!answerMs) return;
    clearTimeout(this.timer);
    const left = Math.min(answerMs(), this.until - performance.now());
    this.timer = setTimeout(() => this.stop(), Math.max(left, LAST_LOOK_MS));
  }

  onResponseData(_: Dispatcher.DispatchController, part: Buffer): void {
    if (this.length < EXCERPT_BYTES) this.parts.push(part);
    this.length += part.length;
    if (this.length > DRAIN_BYTES) this.stop();
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(error);
  }

  /** Closes the connection, or has it closed as soon as there is one. */
  private stop(reason: unknown = new Error('The rest of the answer is not wanted.')): void {
    this.stopped = reason;
    this.end(reason);
    this.controller?.abort(reason as Error);
  }

  private end(reason?: unknown): void {
    clearTimeout(this.timer);
    this.patience.cut?.removeEventListener('abort', this.onCut);
    if (!this.head) return this.reject(reason);
    const excerpt = Buffer.concat(this.parts).subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
    this.resolve({ ...this.head, excerpt });
  }
}
