import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../clock/clock';
import { everyProcess, Recurring } from '../jobs/recurring-work';
import { RequestBatch } from './request-batch';
import {
  admitsAt,
  countHits,
  deleteExpired,
  type Hit,
  passed,
  rejected,
  totalOf,
  usageOf,
  type Window,
  type WindowUsage,
} from './sliding-window';

/**
 * The storage of @nestjs/throttler: sliding windows in PostgreSQL, shared by all instances (ADR 8). Rejected hits are not counted,
 * so waiting for the announced time is always sufficient.
 *
 * A guard's {@link increment} admits at most 1 % of the limit per instance beyond it; limits below 100 are exact. {@link hit}
 * counts in the caller's transaction and is exact for every limit.
 */
@Injectable()
export class PostgresThrottlerStorage implements ThrottlerStorage, BeforeApplicationShutdown {
  private readonly batches = new Map<string, RequestBatch>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Called by @nestjs/throttler: `ttl` in milliseconds, the result in seconds. */
  increment(key: string, ttl: number, limit: number, _blockDuration: number, throttler: string): Promise<Hit> {
    return this.batchOf({ key: `${throttler}:${key}`, windowMs: ttl, limit }).hit();
  }

  /** Counts one hit inside the caller's transaction: a rollback also removes the hit (spec 4.6 rule 5). */
  async hit(em: EntityManager, window: Window): Promise<Hit> {
    const now = this.now();
    const row = await countHits(em, window, now, { admitted: 0, requested: 1, durable: true });
    if (row.granted === 0) return rejected(window.limit, admitsAt(row, window), now);
    return passed(totalOf(row), Number(row.ends[0]) + window.windowMs, now);
  }

  /** The usage of keys in one statement, without counting. Keys without a hit in the window are omitted. */
  readUsage(keys: readonly string[], windowMs: number): Promise<Map<string, WindowUsage>> {
    return usageOf(this.em, keys, windowMs, this.now());
  }

  /** Removes idle keys from memory and expired windows from the database. Returns the number of deleted windows. */
  @Recurring({ everyMs: 60_000, failure: 'Closed rate limit windows could not be removed', runsIn: everyProcess })
  async sweep(): Promise<number> {
    for (const [key, batch] of this.batches) if (batch.isIdle) this.batches.delete(key);
    return deleteExpired(this.em.fork(), this.clock.now());
  }

  /** Writes the pending counts before the database closes. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const batch of this.batches.values()) await batch.flush();
  }

  private batchOf(window: Window): RequestBatch {
    const found = this.batches.get(window.key);
    if (found?.fits(window.windowMs, window.limit)) return found;
    const batch = new RequestBatch(
      window,
      () => this.now(),
      (counted, admitted, requested) =>
        countHits(this.em.fork(), counted, this.now(), { admitted, requested, durable: false }),
    );
    this.batches.set(window.key, batch);
    return batch;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
