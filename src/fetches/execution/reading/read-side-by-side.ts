/** Works on a few items at once and begins them in their order, over several batches that follow each other. */
export class ReadSideBySide {
  private readonly waiting: (() => void)[] = [];
  private readonly batches = new Set<Promise<unknown>>();
  private over = false;

  /** `atOnce` items of all batches together; after `stop`, none is begun any more. */
  constructor(
    private free: number,
    private readonly stop: AbortSignal,
  ) {}

  /**
   * The results of those items that were begun, in their order: all of them, or the first ones when it was stopped. Rejects with the
   * first error when all that were begun have ended; then no other item is begun either, of any batch.
   */
  run<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
    const batch = this.all(items, work);
    this.batches.add(batch);
    // What has ended is the caller's alone: of a hundred thousand documents they are some seventy megabytes.
    const ended = () => this.batches.delete(batch);
    batch.then(ended, ended); // thrown at its await, unless an earlier batch has failed
    return batch;
  }

  /** Nothing more is begun: an item has failed, or it was left. */
  get isOver(): boolean {
    return this.over;
  }

  /** Begins nothing more; what was begun comes to its end. */
  leave(): void {
    this.over = true;
  }

  /** The same, and waits for that. */
  async end(): Promise<void> {
    this.leave();
    await Promise.allSettled(this.batches);
  }

  private async all<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
    const ended = await Promise.allSettled(items.map((item) => this.inTurn(() => work(item))));
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return ended.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value.result] : []));
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<{ result: Result } | undefined> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      if (this.over || this.stop.aborted) return undefined;
      return { result: await work() };
    } catch (error) {
      this.over = true;
      throw error;
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
