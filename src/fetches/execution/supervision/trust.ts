/** A source that fails for so many documents in a row is away as a whole. */
const FAILURES_IN_A_ROW = 3;

/** Whether a source is still there, by what becomes of its documents. */
export class Trust {
  private inARow = 0;
  private reason?: Error;

  /** `onLost` is called once. */
  constructor(private readonly onLost: () => void) {}

  /** The source has answered for a document. */
  regain(): void {
    this.inARow = 0;
  }

  /** It has failed for one. */
  lose(reason: unknown): void {
    if (++this.inARow < FAILURES_IN_A_ROW || this.reason) return;
    this.reason = reason as Error;
    this.onLost();
  }

  /** @throws with what the source failed last */
  throwIfLost(): void {
    if (this.reason) throw this.reason;
  }
}
