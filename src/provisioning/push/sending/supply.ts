/** Where items come from, and what can be done before an item's turn. */
export interface Source<Item, Ready> {
  readonly first: readonly Item[];
  /** What comes behind them, and behind that; nothing: that was all. Asked for as soon as the last of what there is is being made ready. */
  readonly more?: () => Promise<readonly Item[]>;
  /** Begins with an item. Does not throw. */
  readonly prepare: (item: Item) => Ready;
}

/** Items in their order, of which so many are made ready ahead of their turn. */
export class Supply<Item, Ready> {
  private items: readonly Item[];
  private next = 0;
  private readonly ready: Ready[] = [];
  private coming: Promise<void> | undefined;

  constructor(
    private readonly source: Source<Item, Ready>,
    private readonly ahead: () => number,
  ) {
    this.items = source.first;
  }

  /** The next one; undefined when there is none any more. @throws what asking for more throws */
  async take(): Promise<Ready | undefined> {
    this.fill();
    while (this.ready.length === 0 && this.coming) {
      await this.coming;
      this.fill();
    }
    return this.ready.shift();
  }

  private fill(): void {
    const ahead = this.ahead();
    // Several together: what they read, they ask for in one go.
    if (this.ready.length > Math.ceil(ahead / 2)) return;
    while (this.next < this.items.length && this.ready.length <= ahead) {
      this.ready.push(this.source.prepare(this.items[this.next++]!));
    }
    if (this.next === this.items.length && this.items.length > 0 && this.source.more) this.refill(this.source.more);
  }

  private refill(more: () => Promise<readonly Item[]>): void {
    this.next = 0;
    this.items = [];
    this.coming = more().then((items) => {
      this.items = items;
      this.coming = undefined;
    });
    this.coming.catch(() => undefined); // thrown by `take`, if it comes to that
  }
}
