import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { setTimeout as pause } from 'node:timers/promises';
import { affected, sql } from '../database/sql';

/** Who waits for a request: a user, or nobody. */
export type Priority = 'live' | 'background';

/** Requests of the background are not promised further ahead, so that a live one comes soon. */
const AHEAD_SECONDS = 0.25;

/**
 * Where many a second may start, one statement asks for this much more than is waited for, for those who come next. What
 * nobody wants by then is lost, so that there is nothing to give back.
 */
const SPARE_SECONDS = 0.02;

interface Waiting {
  readonly resolve: (startsInMs: number) => void;
  readonly reject: (error: Error) => void;
  readonly signal: AbortSignal | undefined;
}

interface Queue {
  readonly waiting: Waiting[];
  asking: boolean;
}

interface Answer {
  readonly granted: number;
  /** Until the first request that was granted, or until it is worth asking again. */
  readonly wait_ms: number;
}

/**
 * Spaces requests out, all instances together: no more than so many a second start for a key. A row holds the moment when
 * the next request of its key may start; who wants to send one moves it on by one step and waits until its own moment. What
 * gathers in a process while a statement is under way is asked for in the next one. There is nothing to give back, so a
 * process that dies costs the others nothing but the moments it was promised, a quarter of a second at the most.
 *
 * The time is the database's: clocks of machines need not agree.
 */
@Injectable()
export class RateLimiter {
  private readonly queues = new Map<string, Queue>();
  /** Moments of `performance.now()` that were granted to nobody yet, soonest first. */
  private readonly spare = new Map<string, number[]>();

  constructor(private readonly em: EntityManager) {}

  /**
   * Resolves when a request may start. A live one goes before all of the background that have no moment yet.
   * @throws the signal's reason
   */
  async wait(key: string, perSecond: number, urgency: Priority, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const startsIn = this.takeSpare(nameOf(key, urgency)) ?? (await this.queue(key, perSecond, urgency, signal));
    if (startsIn < 1) return;
    try {
      await pause(startsIn, undefined, { signal, ref: false });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  /** Forgets keys that nobody has asked for lately. Answers how many. */
  @Interval(600_000)
  sweep(): Promise<number> {
    this.spare.clear();
    return affected(this.em.fork(), `delete from pace where free_at < clock_timestamp() - interval '1 minute'`);
  }

  private queue(key: string, perSecond: number, urgency: Priority, signal?: AbortSignal): Promise<number> {
    const name = nameOf(key, urgency);
    const queue = this.queues.get(name) ?? { waiting: [], asking: false };
    this.queues.set(name, queue);
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal?.reason as Error);
      signal?.addEventListener('abort', stop, { once: true });
      const forget = (): void => signal?.removeEventListener('abort', stop);
      queue.waiting.push({
        signal,
        resolve: (startsInMs) => (forget(), resolve(startsInMs)),
        reject: (error) => (forget(), reject(error)),
      });
      if (!queue.asking) void this.ask(name, queue, key, perSecond, urgency);
    });
  }

  /** One statement at a time for each key, until nobody waits. */
  private async ask(name: string, queue: Queue, key: string, perSecond: number, urgency: Priority): Promise<void> {
    queue.asking = true;
    const step = 1 / perSecond;
    while (queue.waiting.length > 0) {
      dropAborted(queue);
      if (queue.waiting.length === 0) break;
      try {
        const wanted = queue.waiting.length + Math.floor(SPARE_SECONDS / step);
        const { granted, wait_ms } = await this.take(key, step, wanted, urgency);
        const moments = Array.from({ length: granted }, (_, place) => wait_ms + place * step * 1000);
        const lucky = queue.waiting.splice(0, granted);
        lucky.forEach(({ resolve }, place) => resolve(moments[place]!));
        this.keepSpare(name, moments.slice(lucky.length));
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

  /** Milliseconds until the soonest moment that is kept; undefined when there is none that still counts. */
  private takeSpare(name: string): number | undefined {
    const moments = this.spare.get(name) ?? [];
    const now = performance.now();
    while (moments.length > 0) {
      const moment = moments.shift()!;
      if (moment > now - AHEAD_SECONDS * 1000) return Math.max(0, moment - now);
    }
    this.spare.delete(name);
    return undefined;
  }

  private async take(key: string, step: number, wanted: number, urgency: Priority): Promise<Answer> {
    // Always room for one that may start at once.
    const ahead = urgency === 'live' ? wanted * step + 3600 : AHEAD_SECONDS;
    const [row] = await sql<Answer>(
      this.em.fork(),
      `insert into pace as p (key, free_at, granted, taken_at)
       select $1, now + g * make_interval(secs => $2), g, now
       from (select clock_timestamp() as now, least($3::int, 1 + floor($4::float8 / $2::float8)::int) as g) fresh
       on conflict (key) do update set (free_at, granted, taken_at) = (
         select start + g * make_interval(secs => $2), g, excluded.taken_at
         from (select start, greatest(0, least($3::int,
                 1 + floor(($4::float8 - extract(epoch from start - excluded.taken_at)::float8) / $2::float8)::int)) as g
               from (select greatest(p.free_at, excluded.taken_at) as start) s) x)
       returning granted, greatest(0, 1000 * extract(epoch from
         free_at - granted * make_interval(secs => $2) - clock_timestamp()
         - case when granted = 0 then make_interval(secs => $4) else interval '0' end))::float8 as wait_ms`,
      [key, step, wanted, ahead],
    );
    return row!;
  }
}

/** They have been told already. */
function dropAborted(queue: Queue): void {
  const left = queue.waiting.filter(({ signal }) => !signal?.aborted);
  queue.waiting.splice(0, queue.waiting.length, ...left);
}

function nameOf(key: string, urgency: Priority): string {
  return `${urgency} ${key}`;
}
