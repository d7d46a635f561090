import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** A value is read again when this many times the duration of its last read have passed: reading takes at most 5 % of the time. */
const REUSE_FACTOR = 20;
/** Reads that take less than this, in milliseconds, are not reused. */
const CHEAP_MS = 50;
/** For this long after it should have been read again, a value is still returned while it is read. */
const STALE_MS = 600_000;
/** Values that are kept; the least recently used ones are dropped. */
const MAX_VALUES = 1_000;

/** A value, and when its read began. */
export interface ReadValue<T> {
  readonly value: T;
  readonly readAt: Date;
}

interface KeptRead<T extends object> {
  /** The last value of an expensive read. Times are those of `performance.now()`. */
  last: { readonly read: ReadValue<T>; readonly reuseUntil: number; readonly keepUntil: number } | null;
  reading: Promise<ReadValue<T>> | null;
}

/**
 * Reads values whose cost depends on the amount of data: a cheap one each time, an expensive one less often and, when there is an earlier
 * value, in the background, and the same one only once at a time, however many callers ask.
 */
export class CostlyReads<T extends object> {
  private readonly kept = new LRUCache<string, KeptRead<T>>({ max: MAX_VALUES });

  /** `now` is the time that the value is said to be from. */
  async get(key: string, now: Date, read: () => Promise<T>): Promise<ReadValue<T>> {
    const kept = this.kept.get(key) ?? { last: null, reading: null };
    this.kept.set(key, kept);
    const { last } = kept;
    const time = performance.now();
    if (last && time < last.reuseUntil) return last.read;
    kept.reading ??= this.measure(kept, now, read);
    if (!last || time >= last.keepUntil) return kept.reading;
    kept.reading.catch(() => null); // the next caller reads it again
    return last.read;
  }

  /** The same, waiting for `ms` at most: null if the value is not known by then. It is read in the background. */
  async getWithin(ms: number, key: string, now: Date, read: () => Promise<T>): Promise<ReadValue<T> | null> {
    const timer = new AbortController();
    const timeout = delay(ms, null, { signal: timer.signal, ref: false }).catch(() => null);
    return Promise.race([this.get(key, now, read), timeout]).finally(() => timer.abort());
  }

  private async measure(kept: KeptRead<T>, now: Date, read: () => Promise<T>): Promise<ReadValue<T>> {
    const started = performance.now();
    try {
      const result = { value: await read(), readAt: now };
      const ended = performance.now();
      const reuseUntil = ended + REUSE_FACTOR * (ended - started);
      kept.last = ended - started < CHEAP_MS ? null : { read: result, reuseUntil, keepUntil: reuseUntil + STALE_MS };
      return result;
    } finally {
      kept.reading = null;
    }
  }
}
