/** An outage of an hour is one thing to say, not thousands. */
const AGAIN_MILLISECONDS = 60_000;

/**
 * Failures of something that is tried again every moment: the first is told, then whichever differs from the one before,
 * and while they are alike, one a minute.
 */
export class ErrorThrottle {
  /** How many there have been since the last success. */
  count = 0;
  private told = '';
  private quietUntil = 0;

  constructor(private readonly tell: (error: unknown) => void) {}

  failed(error: unknown): void {
    const now = performance.now();
    const message = String(error);
    if (this.count === 0 || message !== this.told || now >= this.quietUntil) {
      this.tell(error);
      this.told = message;
      this.quietUntil = now + AGAIN_MILLISECONDS;
    }
    this.count += 1;
  }

  succeeded(): void {
    this.count = 0;
  }
}
