/** A source of items, and the work that can be done before an item is sent. */
export interface ItemSource<Item, Ready> {
  readonly initial: readonly Item[];
  /**
   * Returns the following items; an empty list ends the source. Called as soon as the last known item is being
   * prepared.
   */
  readonly fetchMore?: () => Promise<readonly Item[]>;
  /** Starts preparing an item. Does not throw. */
  readonly prepare: (item: Item) => Ready;
}

/** Returns items in order and prepares up to `prefetchCount` of them in advance. */
export class Prefetcher<Item, Ready> {
  private items: readonly Item[];
  private nextIndex = 0;
  private readonly prepared: Ready[] = [];
  private pendingFetch: Promise<void> | undefined;

  constructor(
    private readonly source: ItemSource<Item, Ready>,
    private readonly prefetchCount: () => number,
  ) {
    this.items = source.initial;
  }

  /**
   * Returns the next item; undefined at the end.
   * @throws the error of `fetchMore`
   */
  async take(): Promise<Ready | undefined> {
    this.fill();
    while (this.prepared.length === 0 && this.pendingFetch) {
      await this.pendingFetch;
      this.fill();
    }
    return this.prepared.shift();
  }

  private fill(): void {
    const prefetchCount = this.prefetchCount();
    // Prepare several together: their reads are combined into one.
    if (this.prepared.length > Math.ceil(prefetchCount / 2)) return;
    while (this.nextIndex < this.items.length && this.prepared.length <= prefetchCount) {
      this.prepared.push(this.source.prepare(this.items[this.nextIndex++]!));
    }
    if (this.nextIndex === this.items.length && this.items.length > 0 && this.source.fetchMore)
      this.refill(this.source.fetchMore);
  }

  private refill(fetchMore: () => Promise<readonly Item[]>): void {
    this.nextIndex = 0;
    this.items = [];
    this.pendingFetch = fetchMore().then((items) => {
      this.items = items;
      this.pendingFetch = undefined;
    });
    this.pendingFetch.catch(() => undefined); // thrown by `take`
  }
}
