import { pauseUnlessStopped } from '../feed/retry-temporary';
import { type Answer, isNotRunning, postMessage } from './post-message';
import { signatureHeaders } from './sign';
import type { Target } from './target';

/** A message that is made when it is sent, and again when it is repeated. */
export interface Message {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly target: Target;
  readonly timeoutMs: number;
  body(): Promise<Buffer>;
  /** Called with the answer, once for each time that the message is sent. */
  onAnswer(answer: Answer, repeated: boolean): Promise<void>;
}

export interface ForwarderOptions {
  readonly secret: string;
  readonly signal: AbortSignal;
  /** Called once when an endpoint is not running, and when it answers again. */
  readonly onWaiting: (target: Target) => void;
  readonly onAnswering: (target: Target) => void;
  /** The first pause before an endpoint that is not running is tried again; it doubles up to 10 s. */
  readonly retryMs?: number;
}

const MAX_PAUSE_MS = 10_000;

/** Sends messages one after the other. */
export class Forwarder {
  private last: Message | null = null;
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly options: ForwarderOptions) {}

  /** Resolves when the endpoint has answered, also to refuse the message; it waits for one that is not running. */
  send(message: Message): Promise<void> {
    return this.enqueue(async () => {
      await this.deliver(message, false);
      this.last = message;
    });
  }

  /** Sends the last message once more. Returns false when there is none. */
  async replay(): Promise<boolean> {
    const message = this.last;
    if (!message) return false;
    await this.enqueue(() => this.deliver(message, true));
    return true;
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async deliver(message: Message, repeated: boolean): Promise<void> {
    const { signal, secret, onWaiting, onAnswering, retryMs = 500 } = this.options;
    const { target, id, timeoutMs } = message;
    const body = await message.body();
    for (let attempt = 1; !signal.aborted; attempt++) {
      const headers = { ...message.headers, ...signatureHeaders(secret, id, new Date(), body) };
      const answer = await postMessage(target, headers, body, { timeoutMs, signal });
      if (signal.aborted && answer.status === null) return;
      if (!isNotRunning(answer)) {
        if (attempt > 1) onAnswering(target);
        return message.onAnswer(answer, repeated);
      }
      if (attempt === 1) onWaiting(target);
      await pauseUnlessStopped(Math.min(MAX_PAUSE_MS, retryMs * 2 ** Math.min(attempt - 1, 10)), signal);
    }
  }
}
