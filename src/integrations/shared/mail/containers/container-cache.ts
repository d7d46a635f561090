import { WeightedSemaphore } from '../../../../platform/concurrency/weighted-semaphore';

interface CacheEntry<Wrapper> {
  readonly container: Promise<Wrapper>;
  users: number;
  releaseMemory: () => void;
}

/** A wrapper that stays in memory until `done` is called. */
export interface AcquiredContainer<Wrapper> {
  readonly container: Wrapper;
  readonly release: () => void;
}

/**
 * The wrappers that are in memory: each is read once for all who use it at a time, and no more of them than a bound allows.
 * Whoever comes too early waits for its turn. One that nobody uses stays, until others need the room.
 */
export class ContainerCache<Wrapper> {
  private readonly entries = new Map<string, CacheEntry<Wrapper>>();
  private readonly memory: WeightedSemaphore;

  constructor(mostBytes: number) {
    this.memory = new WeightedSemaphore(mostBytes);
  }

  /** `bytes` is the most it may take; `read` is called when it is not there yet. Throws what reading throws. */
  async acquire(key: string, bytes: number, read: () => Promise<Wrapper>): Promise<AcquiredContainer<Wrapper>> {
    const entry = this.entries.get(key) ?? this.add(key, bytes, read);
    entry.users++;
    try {
      return { container: await entry.container, release: () => this.releaseUse(key, entry) };
    } catch (error) {
      // Whoever comes next tries again.
      if (this.entries.get(key) === entry) this.entries.delete(key);
      this.releaseUse(key, entry);
      throw error;
    }
  }

  private add(key: string, bytes: number, read: () => Promise<Wrapper>): CacheEntry<Wrapper> {
    this.evictUnused(bytes);
    const reservation = this.memory.acquire(bytes);
    const container = reservation.then(async (releaseMemory) => {
      entry.releaseMemory = releaseMemory;
      return read();
    });
    const entry: CacheEntry<Wrapper> = { container, users: 0, releaseMemory: () => undefined };
    this.entries.set(key, entry);
    return entry;
  }

  private releaseUse(key: string, entry: CacheEntry<Wrapper>): void {
    entry.users--;
    const isKept = this.entries.get(key) === entry && !this.memory.hasWaiters;
    if (entry.users === 0 && !isKept) this.evict(key, entry);
  }

  /** Lets go of what nobody uses, what was read first before the others. */
  private evictUnused(bytes: number): void {
    for (const [key, entry] of this.entries) {
      if (this.memory.canAcquire(bytes)) return;
      if (entry.users === 0) this.evict(key, entry);
    }
  }

  private evict(key: string, entry: CacheEntry<Wrapper>): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
    entry.releaseMemory();
  }
}
