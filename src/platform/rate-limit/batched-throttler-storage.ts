import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../clock/clock';
import { affected, sql } from '../database/sql';
import { everyProcess, Recurring } from '../jobs/recurring-work';
import type { Hit } from './exact-throttler-storage';

/** The share of a limit that an instance admits before counting, which is the most by which it can exceed the limit. */
const MARGIN = 0.01;
/** Admitted requests are counted after this time, or earlier when half of the margin is used. */
const COUNT_AFTER_MS = 250;
/** The number of buckets per window, which limits the size of its row. */
const STEPS = 60;

/** The state of one key in this instance. */
interface KeyState {
  readonly key: string;
  readonly windowMs: number;
  readonly limit: number;
  /** Admitted here, and not in the shared row yet. */
  uncounted: number;
  /** The requests that were available at the last count, minus those admitted here since. */
  free: number;
  /** No request is admitted before this time. */
  blockedUntil: number;
  waiting: WaitingRequest[];
  counting: Promise<void> | null;
  timer: NodeJS.Timeout | null;
}

interface WaitingRequest {
  readonly resolve: (hit: Hit) => void;
  readonly reject: (error: unknown) => void;
}

interface RequestCountRow {
  readonly ends: string[];
  readonly counts: number[];
  readonly granted: number;
}

/**
 * The storage of @nestjs/throttler: sliding windows in PostgreSQL, shared by all instances, for limits that most requests do not
 * reach (ADR 8). A request usually does not wait for its count: up to 1 % of the limit is admitted first and counted later in
 * one statement. When that share is used, or the limit is near, requests wait and are counted together. Requests over the limit
 * are rejected without a statement until another one is available.
 *
 * In any window at most the limit plus 1 % of it per instance are admitted; limits below 100 are exact. Rejected requests are not
 * counted, so waiting for the announced time is always sufficient.
 */
@Injectable()
export class BatchedThrottlerStorage implements ThrottlerStorage, BeforeApplicationShutdown {
  private readonly logger = new Logger(BatchedThrottlerStorage.name);
  private readonly state = new Map<string, KeyState>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Called by @nestjs/throttler: `ttl` in milliseconds, the result in seconds. */
  async increment(key: string, ttl: number, limit: number, _blockDuration: number, throttler: string): Promise<Hit> {
    const state = this.find(`${throttler}:${key}`, ttl, limit);
    const now = this.clock.now().getTime();
    if (now < state.blockedUntil) return refused(state, now);
    const margin = Math.floor(limit * MARGIN);
    if (state.uncounted >= margin || state.free <= margin) return this.waitForPlace(state);
    state.uncounted++;
    state.free--;
    if (state.uncounted * 2 >= margin) void this.count(state);
    else state.timer ??= setTimeout(() => void this.count(state), COUNT_AFTER_MS).unref();
    return passed(state);
  }

  /** Removes idle keys and expired rows. Returns the number of deleted rows. */
  @Recurring({ everyMs: 60_000, failure: 'Closed rate limit windows could not be removed', runsIn: everyProcess })
  async sweep(): Promise<number> {
    const now = this.clock.now();
    for (const [key, { uncounted, waiting, counting, blockedUntil, timer }] of this.state) {
      const idle = uncounted === 0 && waiting.length === 0 && !counting && !timer;
      if (idle && blockedUntil <= now.getTime()) this.state.delete(key);
    }
    return affected(this.em.fork(), 'delete from request_count where expires_at < $1', [now]);
  }

  /** Writes the pending counts before the database closes. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const state of this.state.values()) await this.count(state);
  }

  private find(key: string, windowMs: number, limit: number): KeyState {
    const found = this.state.get(key);
    if (found?.limit === limit && found.windowMs === windowMs) return found;
    const fresh: KeyState = {
      ...{ key, windowMs, limit, uncounted: 0, free: limit, blockedUntil: 0 },
      ...{ waiting: [], counting: null, timer: null },
    };
    this.state.set(key, fresh);
    return fresh;
  }

  private waitForPlace(state: KeyState): Promise<Hit> {
    return new Promise((resolve, reject) => {
      state.waiting.push({ resolve, reject });
      void this.count(state);
    });
  }

  /** Counts the admitted and waiting requests, and those that arrive meanwhile: one statement at a time per key. */
  private count(state: KeyState): Promise<void> {
    if (!state.counting) state.counting = this.countAll(state);
    return state.counting;
  }

  private async countAll(state: KeyState): Promise<void> {
    await Promise.resolve(); // the caller sets `counting` before this continues
    while (state.uncounted > 0 || state.waiting.length > 0) {
      const { uncounted, waiting } = state;
      state.waiting = [];
      try {
        this.resolveWaiting(state, await this.write(state, uncounted, waiting.length), uncounted, waiting);
      } catch (error) {
        if (waiting.length === 0) this.logger.warn(error, 'Requests could not be counted');
        for (const { reject } of waiting) reject(error);
        if (state.waiting.length === 0) break; // uncounted requests are retried with the next ones
      }
    }
    if (state.timer) clearTimeout(state.timer);
    state.timer = null;
    state.counting = null; // synchronously: later requests start a new count
  }

  private resolveWaiting(
    state: KeyState,
    row: RequestCountRow,
    counted: number,
    waiting: readonly WaitingRequest[],
  ): void {
    const now = this.clock.now().getTime();
    const total = row.counts.reduce((sum, count) => sum + count, 0);
    state.uncounted -= counted;
    state.free = state.limit - total - state.uncounted;
    state.blockedUntil = total < state.limit ? 0 : freeAt(row, total - state.limit, state.windowMs);
    waiting.forEach(({ resolve }, place) => resolve(place < row.granted ? passed(state) : refused(state, now)));
  }

  /** Adds the admitted requests, and as many waiting ones as the limit allows. */
  private async write({ key, windowMs, limit }: KeyState, sure: number, wanted: number): Promise<RequestCountRow> {
    const now = this.clock.now().getTime();
    const step = windowMs / STEPS;
    // Rounded up: a request becomes available slightly late, but never early.
    const end = Math.ceil(now / step) * step;
    const [row] = await sql<RequestCountRow>(
      this.em.fork(),
      `insert into request_count as c (key, ends, counts, granted, expires_at)
       values ($1, array[$2::bigint], array[$5::int + greatest(0, least($6::int, $4::int - $5::int))],
         greatest(0, least($6::int, $4::int - $5::int)), $7)
       on conflict (key) do update set (ends, counts, granted, expires_at) = (
         with kept as (select e, n from unnest(c.ends, c.counts) u (e, n) where e > $3::bigint),
              g as (select greatest(0, least($6::int, $4::int - $5::int - coalesce(sum(n), 0)))::int as granted from kept),
              merged as (
                select e, sum(n)::int as n from (select e, n from kept union all select $2::bigint, $5::int + granted from g) a
                group by e)
         select array_agg(e order by e), array_agg(n order by e), (select granted from g), $7::timestamptz from merged)
       returning ends, counts, granted`,
      [key, end, now - windowMs, limit, sure, wanted, new Date(end + windowMs)],
    );
    return row!;
  }
}

/** The time when more than `tooMany` requests have left the window. */
function freeAt({ ends, counts }: RequestCountRow, tooMany: number, windowMs: number): number {
  let left = tooMany;
  const at = counts.findIndex((count) => (left -= count) < 0);
  return Number(ends.at(at)) + windowMs;
}

const passed = ({ limit, free, windowMs }: KeyState): Hit => ({
  totalHits: Math.min(limit, limit - free),
  timeToExpire: Math.ceil(windowMs / 1000),
  isBlocked: false,
  timeToBlockExpire: 0,
});

const refused = ({ limit, blockedUntil }: KeyState, now: number): Hit => {
  const wait = Math.max(1, Math.ceil((blockedUntil - now) / 1000));
  return { totalHits: limit + 1, timeToExpire: wait, isBlocked: true, timeToBlockExpire: wait };
};
