import type { EntityManager } from '@mikro-orm/postgresql';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { affected, prepared } from '../database/sql';

/** The share of a limit that an instance admits before counting, which is the most by which it can exceed the limit. */
const MARGIN = 0.01;
/** The number of steps of a window whose limit is approximate, which limits the size of its row. */
const STEPS = 60;

/** The result of a throttler storage; `ThrottlerStorageRecord` is not exported by its package. */
export type Hit = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A limit of one key. */
export interface Window {
  readonly key: string;
  readonly windowMs: number;
  readonly limit: number;
}

/** The state of a window after a statement: a number of hits for each time, in order. */
export interface WindowRow {
  /** Milliseconds since 1970. */
  readonly ends: string[];
  readonly counts: number[];
  /** How many of the requested hits were counted. */
  readonly granted: number;
}

/** The used part of a key's limit. */
export interface WindowUsage {
  readonly hits: number;
  /** When the first of these hits leaves the window. */
  readonly freeAt: Date;
}

/** The hits that an instance may admit before it counts them; 0 for limits below 100, which are exact. */
export const marginOf = (limit: number): number => Math.floor(limit * MARGIN);

/**
 * Counts `admitted` hits, and as many of `requested` ones as the limit allows: one statement, in the transaction of `em` if there
 * is one. Without `durable` the commit does not wait for the disk: after a crash of PostgreSQL the last counts may be missing.
 */
export async function countHits(
  em: EntityManager,
  { key, windowMs, limit }: Window,
  now: number,
  hits: { readonly admitted: number; readonly requested: number; readonly durable: boolean },
): Promise<WindowRow> {
  const step = marginOf(limit) === 0 ? 1 : windowMs / STEPS;
  // Rounded up: a hit becomes available slightly late, but never early.
  const end = Math.ceil(now / step) * step;
  const [row] = await prepared<WindowRow>(
    em,
    `insert into throttle as c (key, ends, counts, granted, expires_at)
     select $1, array[$2::bigint], array[$5::int + granted], granted, $7::timestamptz
     from (select greatest(0, least($6::int, $4::int - $5::int)) as granted) g
     where case when $8 then true else set_config('synchronous_commit', 'off', true) is not null end
     on conflict (key) do update set (ends, counts, granted, expires_at) = (
       with kept as (select e, n from unnest(c.ends, c.counts) u (e, n) where e > $3::bigint),
            g as (select greatest(0, least($6::int, $4::int - $5::int - coalesce(sum(n), 0)))::int as granted from kept),
            added as (select $2::bigint as e, $5::int + granted as n from g where $5::int + granted > 0),
            merged as (
              select e, sum(n)::int as n from (select e, n from kept union all select e, n from added) a group by e)
       select coalesce(array_agg(e order by e), '{}'), coalesce(array_agg(n order by e), '{}'),
         (select granted from g), greatest(c.expires_at, $7::timestamptz) from merged)
     returning ends, counts, granted`,
    [key, end, now - windowMs, limit, hits.admitted, hits.requested, new Date(end + windowMs), hits.durable],
  );
  return row!;
}

/** The usage of keys in one statement, without counting. Keys without a hit in the window are omitted. */
export async function usageOf(
  em: EntityManager,
  keys: readonly string[],
  windowMs: number,
  now: number,
): Promise<Map<string, WindowUsage>> {
  const rows = await prepared<{ key: string; hits: number; first: string }>(
    em,
    `select key, sum(n)::int as hits, min(e) as first
     from throttle, unnest(ends, counts) u (e, n)
     where key = any($1::text[]) and e > $2::bigint group by key`,
    [keys, now - windowMs],
  );
  return new Map(rows.map(({ key, hits, first }) => [key, { hits, freeAt: new Date(Number(first) + windowMs) }]));
}

/** Deletes windows without hits, so that unused keys leave nothing behind. Returns their number. */
export const deleteExpired = (em: EntityManager, now: Date): Promise<number> =>
  affected(em, 'delete from throttle where expires_at < $1', [now]);

/** The number of hits in the window. */
export const totalOf = ({ counts }: WindowRow): number => counts.reduce((sum, count) => sum + count, 0);

/** When another hit is admitted: in the past, or when enough hits have left the window. */
export function admitsAt(row: WindowRow, { limit, windowMs }: Window): number {
  let excess = totalOf(row) - limit;
  if (excess < 0) return 0;
  const at = row.counts.findIndex((count) => (excess -= count) < 0);
  return Number(row.ends.at(at)) + windowMs;
}

/** The result of an admitted hit: `freeAt` is when the next one leaves the window. */
export const passed = (totalHits: number, freeAt: number, now: number): Hit => ({
  totalHits,
  timeToExpire: secondsUntil(freeAt, now),
  isBlocked: false,
  timeToBlockExpire: 0,
});

/** The result of a rejected hit, which is not counted: another one is admitted at `freeAt`. */
export function rejected(limit: number, freeAt: number, now: number): Hit {
  const wait = Math.max(1, secondsUntil(freeAt, now));
  return { totalHits: limit + 1, timeToExpire: wait, isBlocked: true, timeToBlockExpire: wait };
}

const secondsUntil = (at: number, now: number): number => Math.ceil((at - now) / 1000);
