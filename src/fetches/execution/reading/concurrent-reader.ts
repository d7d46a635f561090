/** Works on a few items at once and begins them in their order, over several batches that follow each other. */
export class ConcurrentReader {
  private readonly waiting: (() => void)[] = [];
  private readonly batches = new Set<Promise<unknown>>();
  private stopped = false;

  /** `atOnce` items of all batches together; after `stop`, none is begun any more. */
  constructor(
    private freeSlots: number,
    private readonly stop: AbortSignal,
  ) {}

  /**
   * The results of those items that were begun, in their order: all of them, or the first ones when it was stopped. Rejects with the
   * first error when all that were begun have ended; then no other item is begun either, of any batch.
   */
  read<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
    const batch = this.readAll(items, work);
    this.batches.add(batch);
    // What has ended is the caller's alone: of a hundred thousand documents they are some seventy megabytes.
    const ended = () => this.batches.delete(batch);
    batch.then(ended, ended); // thrown at its await, unless an earlier batch has failed
    return batch;
  }

  /** Nothing more is begun: an item has failed, or it was left. */
  get isStopped(): boolean {
    return this.stopped;
  }

  /** Begins nothing more; what was begun comes to its end. */
  stopStarting(): void {
    this.stopped = true;
  }

  /** The same, and waits for that. */
  async drain(): Promise<void> {
    this.stopStarting();
    await Promise.allSettled(this.batches);
  }

  private async readAll<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const ended = await Promise.allSettled(items.map((item) => this.withSlot(() => work(item))));
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return ended.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value.result] : []));
  }

  private async withSlot<Result>(work: () => Promise<Result>): Promise<{ result: Result } | undefined> {
    if (this.freeSlots > 0) this.freeSlots--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      if (this.stopped || this.stop.aborted) return undefined;
      return { result: await work() };
    } catch (error) {
      this.stopped = true;
      throw error;
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.freeSlots++;
    }
  }
}
