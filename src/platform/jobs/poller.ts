import { ErrorThrottle } from './error-throttle';

const POLL_MILLISECONDS = 250;
/** While polls fail, the interval doubles up to this maximum. */
const MAX_POLL_MILLISECONDS = 2_000;

/** Polls periodically until it is stopped. Errors are reported at most once a minute and increase the interval. */
export class Poller {
  private readonly failures: ErrorThrottle;
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly poll: () => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.failures = new ErrorThrottle(failed);
  }

  /** Does nothing when it is started already. */
  start(): void {
    if (!this.polling && !this.timer) this.wait();
  }

  /** Resolves when the current poll has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.polling;
  }

  private wait(): void {
    if (this.stopped) return;
    const pause = Math.min(POLL_MILLISECONDS * 2 ** this.failures.count, MAX_POLL_MILLISECONDS);
    this.timer = setTimeout(() => {
      this.polling = this.poll()
        .then(
          () => this.failures.succeeded(),
          (error: unknown) => this.failures.failed(error),
        )
        .finally(() => {
          this.polling = null;
          this.wait();
        });
    }, pause);
  }
}
