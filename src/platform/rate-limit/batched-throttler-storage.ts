import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../clock/clock';
import { affected, sql } from '../database/sql';
import { everyProcess, Recurring } from '../jobs/recurring-work';
import type { Hit } from './exact-throttler-storage';

/** So much of a limit an instance lets through before it has counted it: the most by which it can exceed the limit. */
const MARGIN = 0.01;
/** What was let through is counted after so long, or sooner when the margin is half used. */
const COUNT_AFTER_MS = 250;
/** A window moves in so many steps, so that its row stays small. */
const STEPS = 60;

/** What this instance knows of one key. */
interface Known {
  readonly key: string;
  readonly windowMs: number;
  readonly limit: number;
  /** Let through here, and not in the shared row yet. */
  uncounted: number;
  /** Places that were free when it was last counted, less those used here since. */
  free: number;
  /** Nobody gets a place before this time. */
  blockedUntil: number;
  waiting: Waiting[];
  counting: Promise<void> | null;
  timer: NodeJS.Timeout | null;
}

interface Waiting {
  readonly resolve: (hit: Hit) => void;
  readonly reject: (error: unknown) => void;
}

interface Row {
  readonly ends: string[];
  readonly counts: number[];
  readonly granted: number;
}

/**
 * Where @nestjs/throttler counts requests: sliding windows in PostgreSQL, shared by all instances, made for limits that
 * nearly every request passes (ADR 8). A request usually does not wait for its count: up to 1 % of the limit is let through
 * first and counted together, in one statement. When that much is uncounted, or the limit is near, requests wait, and those
 * that wait together are counted together too. Who is over the limit is refused without a statement until a place is free.
 *
 * So in any window at most the limit and 1 % of it for each instance pass; limits below 100 are exact. Refused requests are
 * not counted: waiting as told always helps.
 */
@Injectable()
export class BatchedThrottlerStorage implements ThrottlerStorage, BeforeApplicationShutdown {
  private readonly logger = new Logger(BatchedThrottlerStorage.name);
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @nestjs/throttler's own call: `ttl` in milliseconds, answers in seconds. */
  async increment(key: string, ttl: number, limit: number, _blockDuration: number, throttler: string): Promise<Hit> {
    const known = this.find(`${throttler}:${key}`, ttl, limit);
    const now = this.clock.now().getTime();
    if (now < known.blockedUntil) return refused(known, now);
    const margin = Math.floor(limit * MARGIN);
    if (known.uncounted >= margin || known.free <= margin) return this.waitForPlace(known);
    known.uncounted++;
    known.free--;
    if (known.uncounted * 2 >= margin) void this.count(known);
    else known.timer ??= setTimeout(() => void this.count(known), COUNT_AFTER_MS).unref();
    return passed(known);
  }

  /** Forgets what says nothing any more. Answers how many rows it removed. */
  @Recurring({ everyMs: 60_000, failure: 'Closed rate limit windows could not be removed', runsIn: everyProcess })
  async sweep(): Promise<number> {
    const now = this.clock.now();
    for (const [key, { uncounted, waiting, counting, blockedUntil, timer }] of this.known) {
      const idle = uncounted === 0 && waiting.length === 0 && !counting && !timer;
      if (idle && blockedUntil <= now.getTime()) this.known.delete(key);
    }
    return affected(this.em.fork(), 'delete from request_count where expires_at < $1', [now]);
  }

  /** Nothing is lost, and the database is left alone before it closes. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const known of this.known.values()) await this.count(known);
  }

  private find(key: string, windowMs: number, limit: number): Known {
    const found = this.known.get(key);
    if (found?.limit === limit && found.windowMs === windowMs) return found;
    const fresh: Known = {
      ...{ key, windowMs, limit, uncounted: 0, free: limit, blockedUntil: 0 },
      ...{ waiting: [], counting: null, timer: null },
    };
    this.known.set(key, fresh);
    return fresh;
  }

  private waitForPlace(known: Known): Promise<Hit> {
    return new Promise((resolve, reject) => {
      known.waiting.push({ resolve, reject });
      void this.count(known);
    });
  }

  /** Counts what has gathered, and once more what gathers meanwhile: one statement at a time for each key. */
  private count(known: Known): Promise<void> {
    if (!known.counting) known.counting = this.countAll(known);
    return known.counting;
  }

  private async countAll(known: Known): Promise<void> {
    await Promise.resolve(); // whoever calls has noted that it is under way before it ends
    while (known.uncounted > 0 || known.waiting.length > 0) {
      const { uncounted, waiting } = known;
      known.waiting = [];
      try {
        this.tell(known, await this.write(known, uncounted, waiting.length), uncounted, waiting);
      } catch (error) {
        if (waiting.length === 0) this.logger.warn(error, 'Requests could not be counted');
        for (const { reject } of waiting) reject(error);
        if (known.waiting.length === 0) break; // what is uncounted stays so, and the next one tries again
      }
    }
    if (known.timer) clearTimeout(known.timer);
    known.timer = null;
    known.counting = null; // at once: what comes from now on is counted anew
  }

  private tell(known: Known, row: Row, counted: number, waiting: readonly Waiting[]): void {
    const now = this.clock.now().getTime();
    const total = row.counts.reduce((sum, count) => sum + count, 0);
    known.uncounted -= counted;
    known.free = known.limit - total - known.uncounted;
    known.blockedUntil = total < known.limit ? 0 : freeAt(row, total - known.limit, known.windowMs);
    waiting.forEach(({ resolve }, place) => resolve(place < row.granted ? passed(known) : refused(known, now)));
  }

  /** Adds what was let through in any case, and of those who wait as many as there is room for. */
  private async write({ key, windowMs, limit }: Known, sure: number, wanted: number): Promise<Row> {
    const now = this.clock.now().getTime();
    const step = windowMs / STEPS;
    // Rounded up: a place is free a step late rather than a moment early.
    const end = Math.ceil(now / step) * step;
    const [row] = await sql<Row>(
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

/** When so many and one more have left the window. */
function freeAt({ ends, counts }: Row, tooMany: number, windowMs: number): number {
  let left = tooMany;
  const at = counts.findIndex((count) => (left -= count) < 0);
  return Number(ends.at(at)) + windowMs;
}

const passed = ({ limit, free, windowMs }: Known): Hit => ({
  totalHits: Math.min(limit, limit - free),
  timeToExpire: Math.ceil(windowMs / 1000),
  isBlocked: false,
  timeToBlockExpire: 0,
});

const refused = ({ limit, blockedUntil }: Known, now: number): Hit => {
  const wait = Math.max(1, Math.ceil((blockedUntil - now) / 1000));
  return { totalHits: limit + 1, timeToExpire: wait, isBlocked: true, timeToBlockExpire: wait };
};
