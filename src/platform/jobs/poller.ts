import { ErrorThrottle } from './error-throttle';

const POLL_MILLISECONDS = 250;
/** While nothing can be read, each look comes twice as late as the one before, up to here. */
const LATEST_POLL_MILLISECONDS = 2_000;

/** Looks every moment, until it is stopped. What a look throws is told once a minute, and the next one comes later. */
export class Poller {
  private readonly failures: ErrorThrottle;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly look: () => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.failures = new ErrorThrottle(failed);
  }

  /** Does nothing when it has been started already. */
  start(): void {
    if (!this.looking && !this.timer) this.wait();
  }

  /** Resolves when the last look has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private wait(): void {
    if (this.stopped) return;
    const pause = Math.min(POLL_MILLISECONDS * 2 ** this.failures.count, LATEST_POLL_MILLISECONDS);
    this.timer = setTimeout(() => {
      this.looking = this.look()
        .then(
          () => this.failures.succeeded(),
          (error: unknown) => this.failures.failed(error),
        )
        .finally(() => {
          this.looking = null;
          this.wait();
        });
    }, pause);
  }
}
