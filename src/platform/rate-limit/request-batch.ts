import { Logger } from '@nestjs/common';
import { admitsAt, type Hit, marginOf, passed, rejected, totalOf, type Window, type WindowRow } from './sliding-window';

/** Admitted requests are counted after this time, or earlier when half of the margin is used. */
const COUNT_AFTER_MS = 250;

interface WaitingRequest {
  readonly resolve: (hit: Hit) => void;
  readonly reject: (error: unknown) => void;
}

/** Counts `admitted` requests and as many of `requested` ones as the limit allows. */
type Count = (window: Window, admitted: number, requested: number) => Promise<WindowRow>;

/**
 * The requests of one key at this instance (ADR 8). A request usually does not wait for its count: up to 1 % of the limit is
 * admitted first and counted later in one statement. When that share is used, or the limit is near, requests wait and are counted
 * together. Requests over the limit are rejected without a statement until another one is available.
 *
 * With a statement for each request, GET connection takes 1.8 times the processor time and reaches a third of the rate
 * (`bench http-api`).
 */
export class RequestBatch {
  private readonly logger = new Logger(RequestBatch.name);
  /** Admitted here, and not in the shared row yet. */
  private uncounted = 0;
  /** The requests that were available at the last count, minus those admitted here since. */
  private free: number;
  /** No request is admitted before this time. */
  private blockedUntil = 0;
  private waiting: WaitingRequest[] = [];
  private counting: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly window: Window,
    private readonly now: () => number,
    private readonly count: Count,
  ) {
    this.free = window.limit;
  }

  /** Whether this is the state of a window with these values. */
  fits(windowMs: number, limit: number): boolean {
    return this.window.windowMs === windowMs && this.window.limit === limit;
  }

  /** Whether nothing is lost when this object is dropped. */
  get isIdle(): boolean {
    const isCounted = this.uncounted === 0 && this.waiting.length === 0 && !this.counting && !this.timer;
    return isCounted && this.blockedUntil <= this.now();
  }

  /** Admits or rejects one request; waits for the count where the limit may be near. */
  async hit(): Promise<Hit> {
    const { limit } = this.window;
    const now = this.now();
    if (now < this.blockedUntil) return rejected(limit, this.blockedUntil, now);
    const margin = marginOf(limit);
    if (this.uncounted >= margin || this.free <= margin) return this.waitForCount();
    this.uncounted++;
    this.free--;
    if (this.uncounted * 2 >= margin) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), COUNT_AFTER_MS).unref();
    return this.admitted();
  }

  /** Counts the admitted and waiting requests, and those that arrive meanwhile: one statement at a time. */
  flush(): Promise<void> {
    this.counting ??= this.countAll();
    return this.counting;
  }

  private waitForCount(): Promise<Hit> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      void this.flush();
    });
  }

  private async countAll(): Promise<void> {
    await Promise.resolve(); // the caller sets `counting` before this continues
    while (this.uncounted > 0 || this.waiting.length > 0) {
      const { uncounted, waiting } = this;
      this.waiting = [];
      try {
        this.apply(await this.count(this.window, uncounted, waiting.length), uncounted, waiting);
      } catch (error) {
        if (waiting.length === 0) this.logger.warn(error, 'Requests could not be counted');
        for (const { reject } of waiting) reject(error);
        if (this.waiting.length === 0) break; // uncounted requests are retried with the next ones
      }
    }
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.counting = null; // synchronously: later requests start a new count
  }

  private apply(row: WindowRow, counted: number, waiting: readonly WaitingRequest[]): void {
    const { limit } = this.window;
    const now = this.now();
    this.uncounted -= counted;
    this.free = limit - totalOf(row) - this.uncounted;
    this.blockedUntil = admitsAt(row, this.window);
    waiting.forEach(({ resolve }, place) =>
      resolve(place < row.granted ? this.admitted() : rejected(limit, this.blockedUntil, now)),
    );
  }

  private admitted(): Hit {
    const { limit, windowMs } = this.window;
    const now = this.now();
    return passed(Math.min(limit, limit - this.free), now + windowMs, now);
  }
}
