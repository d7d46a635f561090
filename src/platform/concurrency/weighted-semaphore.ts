interface Waiter {
  readonly amount: number;
  readonly go: () => void;
}

/** Bounds what many have at a time of something, bytes in memory perhaps: whoever comes too early waits for its turn. */
export class WeightedSemaphore {
  private taken = 0;
  private readonly waiting: Waiter[] = [];

  constructor(private readonly most: number) {}

  /** Resolves, in the order of the calls, once there is enough left, with what gives it back. More than there ever is has to be had alone. */
  async take(amount: number): Promise<() => void> {
    await new Promise<void>((go) => {
      this.waiting.push({ amount, go });
      this.admit();
    });
    return () => {
      this.taken -= amount;
      this.admit();
    };
  }

  /** Whether somebody waits for a turn. */
  get isAwaited(): boolean {
    return this.waiting.length > 0;
  }

  /** Whether so much could be had now, by whoever comes first. */
  hasLeft(amount: number): boolean {
    return this.taken === 0 || this.taken + amount <= this.most;
  }

  private admit(): void {
    for (let [next] = this.waiting; next && this.hasLeft(next.amount); [next] = this.waiting) {
      this.waiting.shift();
      this.taken += next.amount;
      next.go();
    }
  }
}
