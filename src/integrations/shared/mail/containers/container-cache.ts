import { WeightedSemaphore } from '../../../../platform/concurrency/weighted-semaphore';

interface Entry<Wrapper> {
  readonly wrapper: Promise<Wrapper>;
  users: number;
  giveBack: () => void;
}

/** A wrapper that stays in memory until `done` is called. */
export interface AcquiredContainer<Wrapper> {
  readonly wrapper: Wrapper;
  readonly done: () => void;
}

/**
 * The wrappers that are in memory: each is read once for all who use it at a time, and no more of them than a bound allows.
 * Whoever comes too early waits for its turn. One that nobody uses stays, until others need the room.
 */
export class ContainerCache<Wrapper> {
  private readonly entries = new Map<string, Entry<Wrapper>>();
  private readonly memory: WeightedSemaphore;

  constructor(mostBytes: number) {
    this.memory = new WeightedSemaphore(mostBytes);
  }

  /** `bytes` is the most it may take; `read` is called when it is not there yet. Throws what reading throws. */
  async acquire(key: string, bytes: number, read: () => Promise<Wrapper>): Promise<AcquiredContainer<Wrapper>> {
    const entry = this.entries.get(key) ?? this.add(key, bytes, read);
    entry.users++;
    try {
      return { wrapper: await entry.wrapper, done: () => this.leave(key, entry) };
    } catch (error) {
      // Whoever comes next tries again.
      if (this.entries.get(key) === entry) this.entries.delete(key);
      this.leave(key, entry);
      throw error;
    }
  }

  private add(key: string, bytes: number, read: () => Promise<Wrapper>): Entry<Wrapper> {
    this.makeRoom(bytes);
    const turn = this.memory.take(bytes);
    const wrapper = turn.then(async (giveBack) => {
      entry.giveBack = giveBack;
      return read();
    });
    const entry: Entry<Wrapper> = { wrapper, users: 0, giveBack: () => undefined };
    this.entries.set(key, entry);
    return entry;
  }

  private leave(key: string, entry: Entry<Wrapper>): void {
    entry.users--;
    const isKept = this.entries.get(key) === entry && !this.memory.isAwaited;
    if (entry.users === 0 && !isKept) this.drop(key, entry);
  }

  /** Lets go of what nobody uses, what was read first before the others. */
  private makeRoom(bytes: number): void {
    for (const [key, entry] of this.entries) {
      if (this.memory.hasLeft(bytes)) return;
      if (entry.users === 0) this.drop(key, entry);
    }
  }

  private drop(key: string, entry: Entry<Wrapper>): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
    entry.giveBack();
  }
}
