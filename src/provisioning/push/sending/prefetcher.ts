/** Where items come from, and what can be done before an item's turn. */
export interface ItemSource<Item, Ready> {
  readonly initial: readonly Item[];
  /** What comes behind them, and behind that; nothing: that was all. Asked for as soon as the last of what there is is being made ready. */
  readonly fetchMore?: () => Promise<readonly Item[]>;
  /** Begins with an item. Does not throw. */
  readonly prepare: (item: Item) => Ready;
}

/** Items in their order, of which so many are made ready ahead of their turn. */
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

  /** The next one; undefined when there is none any more. @throws what asking for more throws */
  async take(): Promise<Ready | undefined> {
    this.fill();
    while (this.prepared.length === 0 && this.pendingFetch) {
      await this.pendingFetch;
      this.fill();
    }
    return this.prepared.shift();
  }

  private fill(): void {
    const ahead = this.prefetchCount();
    // Several together: what they read, they ask for in one go.
    if (this.prepared.length > Math.ceil(ahead / 2)) return;
    while (this.nextIndex < this.items.length && this.prepared.length <= ahead) {
      this.prepared.push(this.source.prepare(this.items[this.nextIndex++]!));
    }
    if (this.nextIndex === this.items.length && this.items.length > 0 && this.source.fetchMore)
      this.refill(this.source.fetchMore);
  }

  private refill(more: () => Promise<readonly Item[]>): void {
    this.nextIndex = 0;
    this.items = [];
    this.pendingFetch = more().then((items) => {
      this.items = items;
      this.pendingFetch = undefined;
    });
    this.pendingFetch.catch(() => undefined); // thrown by `take`, if it comes to that
  }
}
