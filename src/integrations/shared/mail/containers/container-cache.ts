import { WeightedSemaphore } from '../../../../platform/concurrency/weighted-semaphore';

interface CacheEntry<Container> {
  readonly container: Promise<Container>;
  users: number;
  releaseMemory: () => void;
}

/** A container that stays in memory until `release` is called. */
export interface AcquiredContainer<Container> {
  readonly container: Container;
  readonly release: () => void;
}

/**
 * Caches containers in memory up to a limit: each is loaded once for concurrent users. `acquire` waits while the limit is reached.
 * An unused container stays until its memory is needed.
 */
export class ContainerCache<Container> {
  private readonly entries = new Map<string, CacheEntry<Container>>();
  private readonly memory: WeightedSemaphore;

  constructor(mostBytes: number) {
    this.memory = new WeightedSemaphore(mostBytes);
  }

  /** `bytes` is the maximum size of the container; `read` loads it when it is not cached. Throws what `read` throws. */
  async acquire(key: string, bytes: number, read: () => Promise<Container>): Promise<AcquiredContainer<Container>> {
    const entry = this.entries.get(key) ?? this.add(key, bytes, read);
    entry.users++;
    try {
      return { container: await entry.container, release: () => this.releaseUse(key, entry) };
    } catch (error) {
      // The next caller retries.
      if (this.entries.get(key) === entry) this.entries.delete(key);
      this.releaseUse(key, entry);
      throw error;
    }
  }

  private add(key: string, bytes: number, read: () => Promise<Container>): CacheEntry<Container> {
    this.evictUnused(bytes);
    const reservation = this.memory.acquire(bytes);
    const container = reservation.then(async (releaseMemory) => {
      entry.releaseMemory = releaseMemory;
      return read();
    });
    const entry: CacheEntry<Container> = { container, users: 0, releaseMemory: () => undefined };
    this.entries.set(key, entry);
    return entry;
  }

  private releaseUse(key: string, entry: CacheEntry<Container>): void {
    entry.users--;
    const isKept = this.entries.get(key) === entry && !this.memory.hasWaiters;
    if (entry.users === 0 && !isKept) this.evict(key, entry);
  }

  /** Evicts unused containers, the oldest first. */
  private evictUnused(bytes: number): void {
    for (const [key, entry] of this.entries) {
      if (this.memory.canAcquire(bytes)) return;
      if (entry.users === 0) this.evict(key, entry);
    }
  }

  private evict(key: string, entry: CacheEntry<Container>): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
    entry.releaseMemory();
  }
}
