import { EntityManager } from '@mikro-orm/postgresql';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { type Job, PgBoss } from 'pg-boss';
import { Settings } from '../config/settings';
import { sql } from '../database/sql';
import { Metrics } from '../metrics/metrics';
import { StorageUnavailable } from '../availability/storage-unavailable';
import { ErrorThrottle } from './error-throttle';
import { Poller } from './poller';
import { HEARTBEAT_SECONDS, type QueueName } from './queues';
import { FairQueue } from './fair-queue';
import { raisePriority, queuesWithJobs, waitingGroups } from './job-queries';
import { Worker } from './worker';

/** A job to be: the row that it is about, and when its turn comes. */
export interface NewJob {
  readonly key: string;
  /** Goes before everything that waits with less; default 0. */
  readonly priority?: number;
  /** Instead of a priority: whose job it is. Lines take turns, so that a long one does not hold up a short one. */
  readonly line?: string;
}

/**
 * Does one job. `signal` is aborted when the process shuts down: stop at the next safe place and return. `begun` may be called
 * when the job from then on mostly waits (see `QueueLimits.beginning`).
 */
export type JobHandler = (key: string, signal: AbortSignal, begun: () => void) => Promise<void>;

/** Bounds that a queue has besides how many of its jobs run in this process. */
export interface QueueLimits {
  /**
   * No more than so many jobs of one line run at once, in all processes together, so that one that is slow leaves places to
   * others; fewer while few are free.
   */
  readonly perLine?: number;
  /**
   * No more than so many jobs of this process are at their beginning at once: for those that mostly wait afterwards. So a
   * process takes from the others only what it can begin with.
   */
  readonly beginning?: number;
}

/**
 * The job engine (pg-boss). It holds only what is due now; schedules are columns. Jobs are made in the caller's
 * transaction, run at least once, and are taken over within a minute when their worker dies.
 */
@Injectable()
export class Jobs implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  /** So long, in milliseconds, a job waits that could not read or store a document: begun anew at once, it would ask others for nothing. */
  readonly storagePauseMs: number = 30_000;
  private readonly logger = new Logger(Jobs.name);
  private readonly workers = new Map<QueueName, Worker>();
  private readonly poll = new Poller(
    () => this.look(),
    (error) => this.logger.error(error, 'The queues cannot be read'),
  );
  private readonly boss: PgBoss;
  private readonly ended;

  constructor(
    private readonly em: EntityManager,
    settings: Settings,
    metrics: Metrics,
  ) {
    this.ended = metrics.counter('docfetch_jobs_ended_total', 'Jobs that have ended here.', ['queue', 'outcome']);
    this.boss = new PgBoss({
      connectionString: settings.databaseUrl!,
      application_name: 'docfetch jobs',
      max: 4,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: settings.runsWorker,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      maintenanceIntervalSeconds: 300,
    });
    const failures = new ErrorThrottle((error) => this.logger.error(error, 'The job engine reports an error'));
    this.boss.on('error', (error) => failures.failed(error));
  }

  async onModuleInit(): Promise<void> {
    await this.boss.start();
  }

  /** Starts working on a queue, up to `concurrency` jobs at once in this process. Call once per queue. */
  work(queue: QueueName, concurrency: number, handler: JobHandler, room: QueueLimits = {}): void {
    const worker = new Worker({
      concurrency,
      ...room,
      heartbeatMilliseconds: (HEARTBEAT_SECONDS * 1000) / 3,
      fetch: (batchSize, groupConcurrency) => this.boss.fetch<{ key: string }>(queue, { batchSize, groupConcurrency }),
      touch: (jobs) => this.boss.touch(queue, jobs),
      run: (job, signal, begun) => this.runOne(queue, (key) => handler(key, signal, begun), job, signal),
      failed: (error) => this.logger.error(error, `Queue ${queue} cannot be read`),
    });
    this.workers.set(queue, worker);
    worker.start();
    this.poll.start();
  }

  /** One look for all queues: most have nothing to do most of the time, and to fetch from each costs the database more. */
  private async look(): Promise<void> {
    const queues = [...this.workers].filter(([, { hasRoom }]) => hasRoom).map(([queue]) => queue);
    for (const queue of await queuesWithJobs(this.em.fork(), queues)) this.nudge(queue);
  }

  private async runOne(
    queue: QueueName,
    handler: (key: string) => Promise<void>,
    job: Job<{ key: string }>,
    signal: AbortSignal,
  ) {
    try {
      await handler(job.data.key);
      await this.boss.complete(queue, job);
      this.ended.inc({ queue, outcome: 'completed' });
    } catch (error) {
      this.ended.inc({ queue, outcome: 'failed' });
      this.logger.error(error, `Job ${queue} ${job.data.key} failed`);
      if (error instanceof StorageUnavailable)
        await pause(this.storagePauseMs, undefined, { signal }).catch(() => undefined);
      await this.boss.fail(queue, job, { message: (error as Error).message });
    }
  }

  /**
   * Adds jobs in the caller's transaction: they exist if and when it commits. A key that is queued or running already is
   * left as it is; the row behind it is still due, so the calendar brings it up again.
   */
  async enqueue(em: EntityManager, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const turns = jobs.some(({ line }) => line !== undefined) ? new FairQueue(await waitingGroups(em, queue)) : null;
    await this.boss.insert(
      queue,
      jobs.map(({ key, line, priority = 0 }) => ({
        data: { key, ...(line !== undefined && { line }) },
        singletonKey: key,
        ...(line !== undefined && { group: { id: line } }),
        priority: line === undefined ? priority : turns!.next(line),
      })),
      { db: { executeSql: async (text, values) => ({ rows: await sql(em, text, values) }) } },
    );
    await raisePriority(
      em,
      queue,
      jobs.filter(({ priority = 0 }) => priority > 0),
    );
  }

  /** Looks at the queue at once instead of at the next poll. Call after the commit; a lost call costs a moment, nothing else. */
  nudge(queue: QueueName): void {
    this.workers.get(queue)?.nudge();
  }

  /** Resolves when this process has nothing running and nothing fetchable in the queue. For tests and orderly ends. */
  async idle(queue: QueueName): Promise<void> {
    await this.workers.get(queue)?.idle();
  }

  /** Before the database closes: what runs must be able to write down how far it came. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.poll.stop(), ...[...this.workers.values()].map((worker) => worker.stop())]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }
}
