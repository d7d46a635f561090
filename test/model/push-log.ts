interface Entry {
  /** Answers with 200 that are still permitted. */
  credits: number;
  accepted: number;
  inFlight: number;
}

/**
 * The pushes of one endpoint by `Idempotency-Key`. Each delivery gives a credit for one answer with 200: a request without a
 * credit is a second push after a 200 (decisions 6).
 */
export class PushLog {
  private readonly entries = new Map<string, Entry>();
  private readonly forbidden: string[] = [];
  private tolerated = 0;
  /** The credits of a key that has not arrived yet: a redelivery of all documents includes it. */
  private firstCredits = 1;
  /** Pushes that were excused because a worker was killed or suspended. */
  excused = 0;
  requests = 0;

  arrived(key: string): void {
    const entry = this.entry(key);
    this.requests++;
    entry.inFlight++;
    if (entry.credits > 0) return;
    if (this.tolerated > 0) this.tolerate(entry);
    else {
      this.forbidden.push(`${key} arrives again after a 200`);
      entry.credits++; // its answer is not another violation
    }
  }

  ended(key: string, accepted: boolean): void {
    const entry = this.entry(key);
    entry.inFlight--;
    if (!accepted) return;
    entry.accepted++;
    if (--entry.credits >= 0) return;
    if (this.tolerated > 0) this.tolerate(entry);
    else this.forbidden.push(`${key} was in flight twice`);
  }

  /** The client has requested another delivery; without a key, of any document. */
  redeliver(key?: string): void {
    if (key === undefined) this.firstCredits++;
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

  /** A worker was suspended beyond its leases: that many pushes may arrive again, whichever they are. */
  tolerateRepeats(count: number): void {
    this.tolerated = count;
  }

  /**
   * The service is at rest and these keys are still to be pushed: all others must not arrive any more. If a worker was suspended
   * meanwhile, some of these may have been answered with a 200 that it has not read.
   */
  atRest(pending: ReadonlySet<string>): void {
    for (const [key, entry] of this.entries) {
      if (pending.has(key)) {
        if (entry.credits <= 0 && this.tolerated > 0) this.tolerate(entry);
      } else if (entry.inFlight === 0) entry.credits = 0;
    }
    this.tolerated = 0;
    this.firstCredits = 1;
  }

  isAccepted(key: string): boolean {
    return (this.entries.get(key)?.accepted ?? 0) > 0;
  }

  /** Forbidden pushes since the last call. */
  takeForbidden(): string[] {
    return this.forbidden.splice(0);
  }

  private tolerate(entry: Entry): void {
    this.tolerated--;
    this.excused++;
    entry.credits++;
  }

  private entry(key: string): Entry {
    const known = this.entries.get(key);
    if (known) return known;
    const entry = { credits: this.firstCredits, accepted: 0, inFlight: 0 };
    this.entries.set(key, entry);
    return entry;
  }
}
