import { AsyncLocalStorage } from 'node:async_hooks';
import type { Job } from 'pg-boss';
import { ErrorThrottle } from './error-throttle';

interface WorkerOptions {
  readonly concurrency: number;
  /** The maximum number of jobs that are starting, that is, have not called `begun` yet. */
  readonly starting?: number;
  /** The maximum number of running jobs of one group; without it there are no groups. */
  readonly perGroup?: number;
  readonly heartbeatMilliseconds: number;
  readonly fetch: (batchSize: number, perGroup?: number) => Promise<Job<{ key: string }>[]>;
  readonly touch: (jobs: Job<{ key: string }>[]) => Promise<unknown>;
  /** `begun`: the job mostly waits from now on, and another one may start. */
  readonly run: (job: Job<{ key: string }>, signal: AbortSignal, begun: () => void) => Promise<void>;
  /** A job could not be completed, or the queue could not be read. */
  readonly failed: (error: unknown) => void;
}

/** With groups, one fetch takes this share of the free slots, and no group may occupy more. */
const FREE_SHARE = 1 / 4;

/**
 * Fetches jobs in batches when it is woken and when slots become free, runs them concurrently and sends heartbeats. The fewer
 * slots are free, the fewer a group may occupy: several slow groups leave some to later ones, and the last slot is for a group
 * that has none.
 */
export class Worker {
  private readonly running = new Map<Job<{ key: string }>, Promise<void>>();
  private readonly starting = new Set<Job<{ key: string }>>();
  /** Whether the last fetch had no free slots, so that more jobs may be waiting. */
  private wasFull = false;
  private readonly abort = new AbortController();
  private heartbeat: NodeJS.Timeout | undefined;
  private fetching: Promise<void> | null = null;
  /** Jobs run in the async context of the start: that of a request which wakes the worker contains its environment. */
  private fetchInOwnContext: () => Promise<void> = () => this.fetchJobs();
  private fetchAgain = false;
  private readonly failures: ErrorThrottle;

  constructor(private readonly options: WorkerOptions) {
    this.failures = new ErrorThrottle(options.failed);
  }

  start(): void {
    this.fetchInOwnContext = AsyncLocalStorage.bind(() => this.fetchJobs());
    this.heartbeat = setInterval(() => this.beat(), this.options.heartbeatMilliseconds);
    this.wake();
  }

  /** Whether there is a free slot for one more job. */
  get hasFreeSlot(): boolean {
    return this.free > 0;
  }

  private get free(): number {
    const { starting = Infinity } = this.options;
    return Math.min(this.freeSlots, starting - this.starting.size);
  }

  private get freeSlots(): number {
    return this.options.concurrency - this.running.size;
  }

  /** Fetches jobs immediately. */
  wake(): void {
    if (this.abort.signal.aborted) return;
    if (this.fetching) {
      this.fetchAgain = true;
      return;
    }
    this.fetching = this.fetchInOwnContext().finally(() => {
      this.fetching = null;
      if (!this.fetchAgain) return;
      this.fetchAgain = false;
      this.wake();
    });
  }

  /** Resolves when no job is running here and the queue has no more jobs. */
  async idle(): Promise<void> {
    for (;;) {
      this.wake();
      while (this.fetching) await this.fetching; // a fetch that started before this call may be followed by another
      if (this.running.size === 0) return;
      await Promise.all(this.running.values());
    }
  }

  /** Asks running jobs to stop at their next safe point and waits for them. */
  async stop(): Promise<void> {
    this.abort.abort(new Error('The service is shutting down.'));
    await this.fetching;
    await Promise.all(this.running.values());
    clearInterval(this.heartbeat);
  }

  private async fetchJobs(): Promise<void> {
    try {
      for (;;) {
        const { free } = this;
        this.wasFull = free <= 0;
        if (this.wasFull || this.abort.signal.aborted) return;
        const { perGroup } = this.options;
        const share = perGroup === undefined ? free : Math.max(1, Math.floor(this.freeSlots * FREE_SHARE));
        const most = Math.min(free, share);
        const jobs = await this.options.fetch(most, perGroup && Math.min(perGroup, share));
        this.failures.succeeded();
        for (const job of jobs) this.begin(job);
        if (jobs.length < most) return;
      }
    } catch (error) {
      this.failures.failed(error);
    }
  }

  private begin(job: Job<{ key: string }>): void {
    if (this.options.starting !== undefined) this.starting.add(job);
    const begun = () => {
      if (this.starting.delete(job) && this.wasFull) this.wake();
    };
    const done = this.options
      .run(job, this.abort.signal, begun)
      .catch((error: unknown) => this.options.failed(error))
      .finally(() => {
        this.running.delete(job);
        this.starting.delete(job);
        this.wake();
      });
    this.running.set(job, done);
  }

  private beat(): void {
    const jobs = [...this.running.keys()];
    if (jobs.length > 0) this.options.touch(jobs).catch((error: unknown) => this.options.failed(error));
  }
}
