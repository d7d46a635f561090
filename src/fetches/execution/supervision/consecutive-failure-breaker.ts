/** A source that fails for so many documents in a row is away as a whole. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** Whether a source is still there, by what becomes of its documents. */
export class ConsecutiveFailureBreaker {
  private consecutiveFailures = 0;
  private reason?: Error;

  /** `onLost` is called once. */
  constructor(private readonly onOpen: () => void) {}

  /** The source has answered for a document. */
  recordSuccess(): void {
    this.consecutiveFailures = 0;
  }

  /** It has failed for one. */
  recordFailure(reason: unknown): void {
    if (++this.consecutiveFailures < MAX_CONSECUTIVE_FAILURES || this.reason) return;
    this.reason = reason as Error;
    this.onOpen();
  }

  /** @throws with what the source failed last */
  throwIfOpen(): void {
    if (this.reason) throw this.reason;
  }
}
