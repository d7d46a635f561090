/** Equal consecutive errors are logged once in this time, so that an outage does not fill the log. */
const REPEAT_MILLISECONDS = 60_000;

/**
 * Limits the log lines of an operation that is retried continuously: it reports the first error, every error that differs from
 * the previous one, and equal errors once a minute.
 */
export class ErrorThrottle {
  /** The number of failures since the last success. */
  count = 0;
  private lastReported = '';
  private quietUntil = 0;

  constructor(private readonly report: (error: unknown) => void) {}

  failed(error: unknown): void {
    const now = performance.now();
    const message = String(error);
    if (this.count === 0 || message !== this.lastReported || now >= this.quietUntil) {
      this.report(error);
      this.lastReported = message;
      this.quietUntil = now + REPEAT_MILLISECONDS;
    }
    this.count += 1;
  }

  succeeded(): void {
    this.count = 0;
  }
}
