import { Semaphore } from 'async-mutex';

/**
 * Limits the total amount of a resource in use, such as slots or bytes of memory. Callers beyond the limit wait in order. An amount
 * above the capacity is granted when nothing else is in use, which the semaphore of async-mutex would never do.
 */
export class WeightedSemaphore {
  private readonly semaphore: Semaphore;
  private waiting = 0;

  constructor(private readonly capacity: number) {
    this.semaphore = new Semaphore(capacity);
  }

  /**
   * Resolves, in the order of the calls, when `amount` is available; returns the function that releases it, which may be called
   * more than once.
   */
  async acquire(amount = 1): Promise<() => void> {
    this.waiting++;
    try {
      const [, release] = await this.semaphore.acquire(this.weightOf(amount));
      return release;
    } finally {
      this.waiting--;
    }
  }

  /** Runs `work` when a slot is available, in the order of the calls. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.semaphore.runExclusive(work);
  }

  /** Whether any caller of {@link acquire} is waiting. */
  get hasWaiters(): boolean {
    return this.waiting > 0;
  }

  /** Whether `amount` is available to the first waiter. */
  canAcquire(amount: number): boolean {
    return this.semaphore.getValue() >= this.weightOf(amount);
  }

  private weightOf(amount: number): number {
    return Math.min(Math.max(amount, 1), this.capacity);
  }
}
