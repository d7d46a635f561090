/** After this many consecutive failures of documents the source counts as down. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** Opens after consecutive failures of documents, which indicate that the whole source is down. */
export class ConsecutiveFailureBreaker {
  private consecutiveFailures = 0;
  private reason?: Error;

  /** `onOpen` is called once. */
  constructor(private readonly onOpen: () => void) {}

  /** The source has answered the request for a document. */
  recordSuccess(): void {
    this.consecutiveFailures = 0;
  }

  /** The source has failed for a document. */
  recordFailure(reason: unknown): void {
    if (++this.consecutiveFailures < MAX_CONSECUTIVE_FAILURES || this.reason) return;
    this.reason = reason as Error;
    this.onOpen();
  }

  /** @throws the last failure when the breaker is open */
  throwIfOpen(): void {
    if (this.reason) throw this.reason;
  }
}
