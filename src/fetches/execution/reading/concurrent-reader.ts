import { WeightedSemaphore } from '../../../platform/concurrency/weighted-semaphore';

/** Processes items of consecutive batches concurrently, with a common limit, and starts them in order. */
export class ConcurrentReader {
  private readonly slots: WeightedSemaphore;
  private readonly batches = new Set<Promise<unknown>>();
  private stopped = false;

  /** `freeSlots`: the number of concurrent items over all batches. After `stop` none is started. */
  constructor(
    freeSlots: number,
    private readonly stop: AbortSignal,
  ) {
    this.slots = new WeightedSemaphore(freeSlots);
  }

  /**
   * The results of the started items, in order: all of them, or the first ones when the reader was stopped. Rejects with the first
   * error once all started items have ended; no further item of any batch is started then.
   */
  read<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
    const batch = this.readAll(items, work);
    this.batches.add(batch);
    // Settled batches are not retained: for 100,000 documents they would take about 70 MB.
    const ended = () => this.batches.delete(batch);
    batch.then(ended, ended); // thrown at its await, unless an earlier batch has failed
    return batch;
  }

  /** Whether no further item is started, because one has failed or the reader was stopped. */
  get isStopped(): boolean {
    return this.stopped;
  }

  /** Starts no further items; started ones run to their end. */
  stopStarting(): void {
    this.stopped = true;
  }

  /** Starts no further items and waits for the started ones. */
  async drain(): Promise<void> {
    this.stopStarting();
    await Promise.allSettled(this.batches);
  }

  private async readAll<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const ended = await Promise.allSettled(items.map((item) => this.slots.run(() => this.readOne(item, work))));
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return ended.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value.result] : []));
  }

  private async readOne<Item, Result>(
    item: Item,
    work: (item: Item) => Promise<Result>,
  ): Promise<{ result: Result } | undefined> {
    if (this.stopped || this.stop.aborted) return undefined;
    try {
      return { result: await work(item) };
    } catch (error) {
      this.stopped = true;
      throw error;
    }
  }
}
