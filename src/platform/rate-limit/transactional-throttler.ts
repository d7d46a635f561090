import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { InjectThrottlerOptions, type ThrottlerModuleOptions, type ThrottlerOptions } from '@nestjs/throttler';
import { sql } from '../database/sql';
import type { CodeOf } from '../errors/error-codes';
import { type Quota, quotaOf } from './rate-limit-headers';
import { LimitExceeded } from './limit-exceeded';
import { PostgresThrottlerStorage } from './postgres-throttler-storage';

/**
 * A throttler whose hits are counted in the transaction of the work, not by a guard: a guard cannot know whether a request will
 * succeed, and rejected requests do not count (spec 4.6 rule 5).
 */
export interface TransactionalThrottlerOptions extends ThrottlerOptions {
  readonly name: string;
  readonly limit: number;
  /** Milliseconds, like all times of @nestjs/throttler. */
  readonly ttl: number;
}

/** Defines a transactional throttler; list it in `throttlers.ts`. */
export const defineTransactionalThrottler = (
  options: Pick<TransactionalThrottlerOptions, 'name' | 'limit' | 'ttl'>,
): TransactionalThrottlerOptions => ({
  ...options,
  skipIf: () => true, // not counted by the guard
});

/** The key under which the hits of one tracker are stored. */
const keyOf = ({ name }: Pick<TransactionalThrottlerOptions, 'name'>, tracker: string): string => `${name}:${tracker}`;

/** Deletes the hits of trackers that are deleted, in the caller's transaction. */
export async function deleteHits(
  em: EntityManager,
  throttler: TransactionalThrottlerOptions,
  trackers: readonly string[],
): Promise<void> {
  const keys = trackers.map((tracker) => keyOf(throttler, tracker));
  await sql(em, 'delete from throttle where key = any($1::text[])', [keys]);
}

/** The remaining quota of a transactional throttler for one tracker. */
export interface RemainingQuota {
  readonly limit: number;
  readonly remaining: number;
  /** When the next hit becomes available again; null while none is used. */
  readonly resetsAt: Date | null;
}

/** Counts the hits of transactional throttlers in the caller's transaction. */
@Injectable()
export class TransactionalThrottler {
  constructor(
    @InjectThrottlerOptions() private readonly options: ThrottlerModuleOptions,
    private readonly storage: PostgresThrottlerStorage,
  ) {}

  /**
   * Counts one hit exactly; a rollback also removes the hit. Returns the quota after the hit.
   * @throws LimitExceeded with `code` when the tracker has reached its limit; the hit is not counted then
   */
  async hit(em: EntityManager, name: string, tracker: string, code: CodeOf<429>): Promise<Quota> {
    const throttler = this.find(name);
    const { limit, ttl } = throttler;
    const hit = await this.storage.hit(em, { key: keyOf(throttler, tracker), windowMs: ttl, limit });
    const quota = quotaOf(name, limit, ttl, hit);
    if (hit.isBlocked) throw new LimitExceeded(code, quota);
    return quota;
  }

  /** The remaining quota of each tracker, in the given order: one statement for all of them, and nothing is counted. */
  async readRemaining(name: string, trackers: readonly string[]): Promise<RemainingQuota[]> {
    if (trackers.length === 0) return [];
    const throttler = this.find(name);
    const { limit, ttl } = throttler;
    const keys = trackers.map((tracker) => keyOf(throttler, tracker));
    const used = await this.storage.readUsage(keys, ttl);
    return keys.map((key) => {
      const { hits = 0, freeAt = null } = used.get(key) ?? {};
      return { limit, remaining: Math.max(0, limit - hits), resetsAt: freeAt };
    });
  }

  private find(name: string): TransactionalThrottlerOptions {
    const all = Array.isArray(this.options) ? this.options : this.options.throttlers;
    const found = all.find((throttler) => throttler.name === name);
    if (!found) throw new Error(`There is no throttler "${name}".`);
    return found as TransactionalThrottlerOptions;
  }
}
