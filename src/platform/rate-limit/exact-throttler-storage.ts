import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { EntityManager } from '@mikro-orm/postgresql';
import { Clock } from '../clock/clock';
import { affected, prepared, sql } from '../database/sql';
import { everyProcess, Recurring } from '../jobs/recurring-work';

/** The result of a throttler storage; `ThrottlerStorageRecord` is not exported by its package. */
export type Hit = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The used part of a key's limit. */
export interface WindowUsage {
  readonly hits: number;
  /** When the first of these hits leaves the window. */
  readonly freeAt: Date;
}

/**
 * Sliding windows in PostgreSQL, shared by all instances: one row per key holds the times of its hits. A hit beyond the limit is
 * not counted, so that a hit is available after `timeToExpire` seconds. Exact to the millisecond and in the caller's transaction,
 * for limits with few hits; `BatchedThrottlerStorage` is for limits that count every request (ADR 8).
 */
@Injectable()
export class ExactThrottlerStorage implements ThrottlerStorage {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Deletes expired windows, so that unused keys leave nothing behind. Returns their number. */
  @Recurring({ everyMs: 600_000, failure: 'Closed rate limit windows could not be removed', runsIn: everyProcess })
  async sweep(): Promise<number> {
    return affected(this.em.fork(), 'delete from throttle where expires_at < $1', [this.clock.now()]);
  }

  /** Called by @nestjs/throttler: `ttl` in milliseconds, the result in seconds. */
  increment(key: string, ttl: number, limit: number, _blockDuration: number, throttlerName: string): Promise<Hit> {
    return this.hit(this.em.fork(), `${throttlerName}:${key}`, ttl / 1000, limit);
  }

  /** The usage of keys in one statement, without counting. Keys without a hit in the window are omitted. */
  async look(keys: readonly string[], windowSeconds: number): Promise<Map<string, WindowUsage>> {
    const rows = await prepared<{ key: string; hits: number; free_at: string }>(
      this.em.fork(),
      `select key, count(*)::int as hits, min(h) + make_interval(secs => $3) as free_at
       from throttle, unnest(hits) h
       where key = any($1::text[]) and h > $2::timestamptz - make_interval(secs => $3) group by key`,
      [keys, this.clock.now(), windowSeconds],
    );
    return new Map(rows.map(({ key, hits, free_at }) => [key, { hits, freeAt: new Date(free_at) }]));
  }

  /** {@link increment} inside the caller's transaction: a rollback also removes the hit (spec 4.6 rule 5). */
  async hit(em: EntityManager, key: string, windowSeconds: number, limit: number): Promise<Hit> {
    const now = this.clock.now();
    const [row] = await sql<{ hits: number; wait: number; counted: boolean }>(
      em,
      `insert into throttle as t (key, hits, expires_at)
       values ($1, array[$2::timestamptz], $2::timestamptz + make_interval(secs => $3))
       on conflict (key) do update set
         hits = (select case when count(*) < $4 then coalesce(array_agg(h order by h), '{}') || $2::timestamptz
                             else array_agg(h order by h) end
                 from unnest(t.hits) h where h > $2::timestamptz - make_interval(secs => $3)),
         expires_at = $2::timestamptz + make_interval(secs => $3),
         refused = (select count(*) >= $4 from unnest(t.hits) h where h > $2::timestamptz - make_interval(secs => $3))
       returning cardinality(hits) as hits, not refused as counted,
         ceil(extract(epoch from hits[1] + make_interval(secs => $3) - $2::timestamptz))::int as wait`,
      [key, now, windowSeconds, limit],
    );
    const { hits, wait, counted } = row!;
    return {
      totalHits: counted ? hits : limit + 1,
      timeToExpire: wait,
      isBlocked: !counted,
      timeToBlockExpire: counted ? 0 : Math.max(1, wait),
    };
  }
}
