interface Waiter {
  readonly amount: number;
  readonly resolve: () => void;
}

/** Limits the total amount of a resource in use, such as bytes in memory. Callers beyond the limit wait in order. */
export class WeightedSemaphore {
  private used = 0;
  private readonly waiting: Waiter[] = [];

  constructor(private readonly capacity: number) {}

  /**
   * Resolves, in the order of the calls, when `amount` is available; returns the function that releases it. An amount above the
   * capacity is granted when nothing else is in use.
   */
  async acquire(amount: number): Promise<() => void> {
    await new Promise<void>((resolve) => {
      this.waiting.push({ amount, resolve });
      this.admit();
    });
    return () => {
      this.used -= amount;
      this.admit();
    };
  }

  /** Whether any caller is waiting. */
  get hasWaiters(): boolean {
    return this.waiting.length > 0;
  }

  /** Whether `amount` is available to the first waiter. */
  canAcquire(amount: number): boolean {
    return this.used === 0 || this.used + amount <= this.capacity;
  }

  private admit(): void {
    for (let [next] = this.waiting; next && this.canAcquire(next.amount); [next] = this.waiting) {
      this.waiting.shift();
      this.used += next.amount;
      next.resolve();
    }
  }
}
