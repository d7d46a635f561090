/**
 * The pushes of one endpoint by `Idempotency-Key`. Each delivery gives a credit for one answer with 200: a request without a
 * credit is a second push after a 200 (decisions 6).
 */
export class PushLog {
  private readonly entries = new Map<string, { credits: number; accepted: number; inFlight: number }>();
  private readonly forbidden: string[] = [];
  /** Pushes that were excused because a worker was killed. */
  excused = 0;
  requests = 0;

  arrived(key: string): void {
    const entry = this.entry(key);
    this.requests++;
    entry.inFlight++;
    if (entry.credits <= 0) this.forbidden.push(`${key} arrives again after a 200`);
  }

  ended(key: string, accepted: boolean): void {
    const entry = this.entry(key);
    entry.inFlight--;
    if (!accepted) return;
    entry.accepted++;
    if (--entry.credits < 0) this.forbidden.push(`${key} was in flight twice`);
  }

  /** The client has requested another delivery; without a key, of any document. */
  redeliver(key?: string): void {
    for (const entry of key === undefined ? this.entries.values() : [this.entry(key)]) entry.credits++;
  }

  /**
   * A worker was killed: documents that were answered with 200 and are still `pending` in the database may arrive once more.
   * Returns their number.
   */
  excuse(pending: readonly string[]): number {
    const unwritten = pending.filter((key) => this.entry(key).credits <= 0);
    for (const key of unwritten) this.entry(key).credits = 1;
    this.excused += unwritten.length;
    return unwritten.length;
  }

  /** The service is at rest and these keys are still to be pushed: all others must not arrive any more. */
  atRest(pending: ReadonlySet<string>): void {
    for (const [key, entry] of this.entries) if (!pending.has(key) && entry.inFlight === 0) entry.credits = 0;
  }

  isAccepted(key: string): boolean {
    return (this.entries.get(key)?.accepted ?? 0) > 0;
  }

  /** Forbidden pushes since the last call. */
  takeForbidden(): string[] {
    return this.forbidden.splice(0);
  }

  private entry(key: string) {
    const known = this.entries.get(key);
    if (known) return known;
    const entry = { credits: 1, accepted: 0, inFlight: 0 };
    this.entries.set(key, entry);
    return entry;
  }
}
