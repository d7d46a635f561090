import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from '../concurrency/cancellation';
import { affected, sql } from '../database/sql';
import { everyProcess, Recurring } from '../jobs/recurring-work';

/** Whether a user waits for the request. */
export type Priority = 'live' | 'background';

/** Slots for background requests are reserved at most this far ahead, so that live requests do not wait long. */
const AHEAD_SECONDS = 0.25;

/**
 * At high rates, one statement reserves slots for this much additional time, for the next requests. Unused slots expire, so
 * nothing has to be released.
 */
const SPARE_SECONDS = 0.02;

interface WaitingRequest {
  readonly resolve: (startsInMs: number) => void;
  readonly reject: (error: Error) => void;
  readonly signal: AbortSignal | undefined;
}

interface RequestQueue {
  readonly waiting: WaitingRequest[];
  isReserving: boolean;
}

interface ReservedSlots {
  readonly granted: number;
  /** Milliseconds until the first granted slot, or until the next attempt. */
  readonly wait_ms: number;
}

/**
 * Limits the rate of requests per key across all instances. A row holds the time when the next request of its key may start; a
 * request moves it on by one interval and waits for its own slot. Requests that arrive during a statement are reserved together
 * in the next one; it may grant fewer than it was asked for, which dataloader cannot express. Nothing has to be released, so a
 * process that dies wastes only its reserved slots, at most a quarter of a second.
 *
 * The database's clock is used, so the clocks of the instances need not agree.
 */
@Injectable()
export class RateLimiter {
  private readonly queues = new Map<string, RequestQueue>();
  /** Reserved slots that are still unused, as times of `performance.now()`, earliest first. */
  private readonly spare = new Map<string, number[]>();

  constructor(private readonly em: EntityManager) {}

  /**
   * Resolves when a request may start. Live requests go before background requests that have no slot yet.
   * @throws the signal's reason
   */
  async wait(key: string, perSecond: number, priority: Priority, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const startsIn = this.takeSpare(nameOf(key, priority)) ?? (await this.queue(key, perSecond, priority, signal));
    if (startsIn < 1) return;
    await abortable(pause(startsIn, undefined, { signal, ref: false }), signal);
  }

  /** Deletes unused keys. Returns their number. */
  @Recurring({ everyMs: 600_000, failure: 'Old rate limits could not be removed', runsIn: everyProcess })
  sweep(): Promise<number> {
    this.spare.clear();
    return affected(
      this.em.fork(),
      `delete from rate_limit_slot where free_at < clock_timestamp() - interval '1 minute'`,
    );
  }

  private queue(key: string, perSecond: number, priority: Priority, signal?: AbortSignal): Promise<number> {
    const name = nameOf(key, priority);
    const queue = this.queues.get(name) ?? { waiting: [], isReserving: false };
    this.queues.set(name, queue);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    queue.waiting.push({ signal, resolve, reject });
    if (!queue.isReserving) void this.reserveAll(name, queue, key, perSecond, priority);
    return abortable(promise, signal);
  }

  /** Reserves slots with one statement at a time per key, until no request is waiting. */
  private async reserveAll(
    name: string,
    queue: RequestQueue,
    key: string,
    perSecond: number,
    priority: Priority,
  ): Promise<void> {
    queue.isReserving = true;
    const step = 1 / perSecond;
    while (queue.waiting.length > 0) {
      dropAborted(queue);
      if (queue.waiting.length === 0) break;
      try {
        const wanted = queue.waiting.length + Math.floor(SPARE_SECONDS / step);
        const { granted, wait_ms } = await this.take(key, step, wanted, priority);
        const slots = Array.from({ length: granted }, (_, place) => wait_ms + place * step * 1000);
        const served = queue.waiting.splice(0, granted);
        served.forEach(({ resolve }, place) => resolve(slots[place]!));
        this.keepSpare(name, slots.slice(served.length));
        if (granted === 0) await pause(Math.max(1, wait_ms), undefined, { ref: false });
      } catch (error) {
        for (const { reject } of queue.waiting.splice(0)) reject(error as Error);
      }
    }
    this.queues.delete(name);
  }

  private keepSpare(name: string, startsInMs: readonly number[]): void {
    if (startsInMs.length === 0) return;
    const now = performance.now();
    this.spare.set(
      name,
      startsInMs.map((ms) => now + ms),
    );
  }

  /** Milliseconds until the earliest spare slot; undefined when there is none that is still valid. */
  private takeSpare(name: string): number | undefined {
    const slots = this.spare.get(name) ?? [];
    const now = performance.now();
    while (slots.length > 0) {
      const slot = slots.shift()!;
      if (slot > now - AHEAD_SECONDS * 1000) return Math.max(0, slot - now);
    }
    this.spare.delete(name);
    return undefined;
  }

  private async take(key: string, step: number, wanted: number, priority: Priority): Promise<ReservedSlots> {
    // At least one request may always start immediately.
    const ahead = priority === 'live' ? wanted * step + 3600 : AHEAD_SECONDS;
    const [row] = await sql<ReservedSlots>(
      this.em.fork(),
      `insert into rate_limit_slot as slot (key, free_at, granted, taken_at)
       select $1, now + g * make_interval(secs => $2), g, now
       from (select clock_timestamp() as now, least($3::int, 1 + floor($4::float8 / $2::float8)::int) as g) fresh
       on conflict (key) do update set (free_at, granted, taken_at) = (
         select start + g * make_interval(secs => $2), g, excluded.taken_at
         from (select start, greatest(0, least($3::int,
                 1 + floor(($4::float8 - extract(epoch from start - excluded.taken_at)::float8) / $2::float8)::int)) as g
               from (select greatest(slot.free_at, excluded.taken_at) as start) s) x)
       returning granted, greatest(0, 1000 * extract(epoch from
         free_at - granted * make_interval(secs => $2) - clock_timestamp()
         - case when granted = 0 then make_interval(secs => $4) else interval '0' end))::float8 as wait_ms`,
      [key, step, wanted, ahead],
    );
    return row!;
  }
}

/** Removes aborted requests, whose callers have the signal's reason already. */
function dropAborted(queue: RequestQueue): void {
  const left = queue.waiting.filter(({ signal }) => !signal?.aborted);
  queue.waiting.splice(0, queue.waiting.length, ...left);
}

function nameOf(key: string, priority: Priority): string {
  return `${priority} ${key}`;
}
