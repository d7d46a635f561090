import type { Job } from 'pg-boss';
import { ErrorThrottle } from './error-throttle';

interface Options {
  readonly concurrency: number;
  /** No more jobs than so many are at their beginning at the same time, until they say that they have begun. */
  readonly beginning?: number;
  /** No more jobs of one line than so many run at once; without it there are no lines. */
  readonly perLine?: number;
  readonly heartbeatMilliseconds: number;
  readonly fetch: (batchSize: number, perLine?: number) => Promise<Job<{ key: string }>[]>;
  readonly touch: (jobs: Job<{ key: string }>[]) => Promise<unknown>;
  /** `begun`: the job from now on mostly waits, and another one may begin. */
  readonly run: (job: Job<{ key: string }>, signal: AbortSignal, begun: () => void) => Promise<void>;
  /** A job could not be settled, or the queue not be read. */
  readonly failed: (error: unknown) => void;
}

/** Where there are lines, one look takes this part of the free places, and no line gets to hold more than that. */
const FREE_SHARE = 1 / 4;

/**
 * Fetches jobs in batches when it is told that there are some and as places become free, runs them side by side and
 * tells the engine that they are alive. The fewer places are free, the fewer may a line hold: several whose jobs are slow
 * leave some to those who come later, and the last place is for a line that has none.
 */
export class Worker {
  private readonly running = new Map<Job<{ key: string }>, Promise<void>>();
  private readonly beginning = new Set<Job<{ key: string }>>();
  /** Whether there may be more jobs than there was room for at the last look. */
  private wasFull = false;
  private readonly abort = new AbortController();
  private heartbeat: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;
  private lookAgain = false;
  private readonly failures: ErrorThrottle;

  constructor(private readonly options: Options) {
    this.failures = new ErrorThrottle(options.failed);
  }

  start(): void {
    this.heartbeat = setInterval(() => this.beat(), this.options.heartbeatMilliseconds);
    this.nudge();
  }

  /** Whether there is a place for one more job. */
  get hasRoom(): boolean {
    return this.free > 0;
  }

  private get free(): number {
    const { beginning = Infinity } = this.options;
    return Math.min(this.places, beginning - this.beginning.size);
  }

  private get places(): number {
    return this.options.concurrency - this.running.size;
  }

  /** Looks for jobs now. */
  nudge(): void {
    if (this.abort.signal.aborted) return;
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = this.look().finally(() => {
      this.looking = null;
      if (!this.lookAgain) return;
      this.lookAgain = false;
      this.nudge();
    });
  }

  /** Resolves once nothing runs here and the queue gave nothing more. */
  async idle(): Promise<void> {
    for (;;) {
      this.nudge();
      while (this.looking) await this.looking; // one that began before this call may be followed by another
      if (this.running.size === 0) return;
      await Promise.all(this.running.values());
    }
  }

  /** Asks running jobs to stop at their next safe place and waits for them. */
  async stop(): Promise<void> {
    this.abort.abort(new Error('The service shuts down.'));
    await this.looking;
    await Promise.all(this.running.values());
    clearInterval(this.heartbeat);
  }

  private async look(): Promise<void> {
    try {
      for (;;) {
        const { free } = this;
        this.wasFull = free <= 0;
        if (this.wasFull || this.abort.signal.aborted) return;
        const { perLine } = this.options;
        const share = perLine === undefined ? free : Math.max(1, Math.floor(this.places * FREE_SHARE));
        const most = Math.min(free, share);
        const jobs = await this.options.fetch(most, perLine && Math.min(perLine, share));
        this.failures.succeeded();
        for (const job of jobs) this.begin(job);
        if (jobs.length < most) return;
      }
    } catch (error) {
      this.failures.failed(error);
    }
  }

  private begin(job: Job<{ key: string }>): void {
    if (this.options.beginning !== undefined) this.beginning.add(job);
    const begun = () => {
      if (this.beginning.delete(job) && this.wasFull) this.nudge();
    };
    const done = this.options
      .run(job, this.abort.signal, begun)
      .catch((error: unknown) => this.options.failed(error))
      .finally(() => {
        this.running.delete(job);
        this.beginning.delete(job);
        this.nudge();
      });
    this.running.set(job, done);
  }

  private beat(): void {
    const jobs = [...this.running.keys()];
    if (jobs.length > 0) this.options.touch(jobs).catch((error: unknown) => this.options.failed(error));
  }
}
