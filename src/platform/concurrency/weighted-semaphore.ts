interface Waiter {
  readonly weight: number;
  readonly resolve: () => void;
}

/**
 * Limits the total amount of a resource in use, such as slots or bytes of memory. Callers beyond the limit wait in order. An amount
 * above the capacity is granted when nothing else is in use.
 *
 * The semaphore of async-mutex would never grant such an amount, and each of its releases takes as many steps as the amount that is
 * free: with bytes as the unit, a worker that read a mailbox spent all of its processor time there.
 */
export class WeightedSemaphore {
  private used = 0;
  private readonly waiting: Waiter[] = [];

  constructor(private readonly capacity: number) {}

  /**
   * Resolves, in the order of the calls, when `amount` is available; returns the function that releases it, which may be called
   * more than once.
   */
  async acquire(amount = 1): Promise<() => void> {
    const weight = this.weightOf(amount);
    await new Promise<void>((resolve) => {
      this.waiting.push({ weight, resolve });
      this.admit();
    });
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.used -= weight;
      this.admit();
    };
  }

  /** Runs `work` when a slot is available, in the order of the calls. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Whether any caller is waiting. */
  get hasWaiters(): boolean {
    return this.waiting.length > 0;
  }

  /** Whether `amount` is available to the first waiter. */
  canAcquire(amount: number): boolean {
    return this.used + this.weightOf(amount) <= this.capacity;
  }

  private weightOf(amount: number): number {
    return Math.min(Math.max(amount, 1), this.capacity);
  }

  private admit(): void {
    for (let [next] = this.waiting; next && this.canAcquire(next.weight); [next] = this.waiting) {
      this.waiting.shift();
      this.used += next.weight;
      next.resolve();
    }
  }
}
