import { LRUCache } from 'lru-cache';

/** A value is read again when this many times the duration of its last read have passed: reading takes at most 5 % of the time. */
const REUSE_FACTOR = 20;
/** Reads that take less than this, in milliseconds, are not reused. */
const CHEAP_MS = 50;
/** Values that are kept; the least recently used ones are dropped. */
const MAX_VALUES = 1_000;

/** A value, and when its read began. */
export interface ReadValue<T> {
  readonly value: T;
  readonly readAt: Date;
}

interface KeptRead<T extends object> {
  readonly reading: Promise<ReadValue<T>>;
  /** By `performance.now()`; null while it is read. */
  reuseUntil: number | null;
}

/**
 * Reads values whose cost depends on the amount of data: a cheap one each time, an expensive one less often, and the same one only once at
 * a time, however many callers ask.
 */
export class CostlyReads<T extends object> {
  private readonly kept = new LRUCache<string, KeptRead<T>>({ max: MAX_VALUES });

  /** `now` is the time that the value is said to be from. */
  get(key: string, now: Date, read: () => Promise<T>): Promise<ReadValue<T>> {
    const known = this.kept.get(key);
    if (known && (known.reuseUntil === null || performance.now() < known.reuseUntil)) return known.reading;
    const entry: KeptRead<T> = { reading: this.measure(key, now, read), reuseUntil: null };
    this.kept.set(key, entry);
    return entry.reading;
  }

  private async measure(key: string, now: Date, read: () => Promise<T>): Promise<ReadValue<T>> {
    const started = performance.now();
    try {
      const value = await read();
      const ended = performance.now();
      const entry = this.kept.get(key);
      if (entry) entry.reuseUntil = ended - started < CHEAP_MS ? ended : ended + REUSE_FACTOR * (ended - started);
      return { value, readAt: now };
    } catch (error) {
      this.kept.delete(key);
      throw error;
    }
  }
}
