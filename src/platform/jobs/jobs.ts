import { EntityManager } from '@mikro-orm/postgresql';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase, PoolConfig } from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import { Settings } from '../config/settings';
import { silentConnections } from '../database/silent-connections';
import { sql } from '../database/sql';
import { Metrics } from '../metrics/metrics';
import { isDatabaseUnavailable } from '../availability/database-unavailable';
import { isUnavailable } from '../availability/storage-unavailable';
import { withLogFields } from '../request/work-scope';
import { ErrorThrottle } from './error-throttle';
import { Poller } from './poller';
import { HEARTBEAT_SECONDS, type QueueName } from './queues';
import { FairQueue } from '../concurrency/fair-queue';
import { queuesWithJobs, waitingGroups } from './job-queries';
import { Worker } from './worker';

/** Options that the job engine passes to its pool. */
const POOL_OPTIONS = { onConnect: (client: ClientBase) => silentConnections.watch(client) } satisfies PoolConfig;

/** A job to enqueue: the key of its row. */
export interface NewJob {
  readonly key: string;
  /** The fairness group of the job. Groups are served in turn, so that a long one does not delay a short one. */
  readonly group?: string;
}

/**
 * Processes one job. `signal` is aborted when the process shuts down: stop at the next safe point and return. `begun` may be
 * called when the job will mostly wait from then on (see `QueueLimits.starting`).
 */
export type JobHandler = (key: string, signal: AbortSignal, begun: () => void) => Promise<void>;

/** Limits of a queue besides its concurrency in this process. */
export interface QueueLimits {
  /**
   * The maximum number of running jobs of one group in all processes, so that a slow group leaves slots to others; fewer while
   * few slots are free.
   */
  readonly perGroup?: number;
  /**
   * The maximum number of jobs of this process that are starting, for jobs that mostly wait afterwards. A process thus takes
   * only jobs that it can start immediately.
   */
  readonly starting?: number;
}

/**
 * The job engine (pg-boss). It holds only work that is due; schedules are columns. Jobs are created in the caller's transaction,
 * run at least once, and are taken over within a minute when their worker dies.
 */
@Injectable()
export class Jobs implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  /** The delay in milliseconds before a job fails that could not read or store a document: an immediate retry would fail again. */
  readonly storagePauseMs: number = 30_000;
  private readonly logger = new Logger(Jobs.name);
  private readonly workers = new Map<QueueName, Worker>();
  private readonly poll = new Poller(
    () => this.checkQueues(),
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
      ...POOL_OPTIONS,
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

  /** Starts processing a queue, up to `concurrency` jobs at once in this process. Call it once per queue. */
  work(queue: QueueName, concurrency: number, handler: JobHandler, limits: QueueLimits = {}): void {
    const worker = new Worker({
      concurrency,
      ...limits,
      heartbeatMilliseconds: (HEARTBEAT_SECONDS * 1000) / 3,
      fetch: (batchSize, groupConcurrency) => this.boss.fetch<{ key: string }>(queue, { batchSize, groupConcurrency }),
      touch: (jobs) => this.boss.touch(queue, jobs),
      run: (job, signal, begun) => this.runOne(queue, (key) => handler(key, signal, begun), job, signal),
      failed: (error) => this.logger.error({ err: error, queue }, 'A queue cannot be read'),
    });
    this.workers.set(queue, worker);
    worker.start();
    this.poll.start();
  }

  /** One query for all queues: most are empty most of the time, and fetching from each would cost the database more. */
  private async checkQueues(): Promise<void> {
    const queues = [...this.workers].filter(([, { hasFreeSlot }]) => hasFreeSlot).map(([queue]) => queue);
    for (const queue of await queuesWithJobs(this.em.fork(), queues)) this.wake(queue);
  }

  private async runOne(
    queue: QueueName,
    handler: (key: string) => Promise<void>,
    job: Job<{ key: string }>,
    signal: AbortSignal,
  ) {
    await withLogFields({ queue, job_key: job.data.key }, () => this.handle(queue, handler, job, signal));
  }

  private async handle(
    queue: QueueName,
    handler: (key: string) => Promise<void>,
    job: Job<{ key: string }>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await handler(job.data.key);
      await this.boss.complete(queue, job);
      this.ended.inc({ queue, outcome: 'completed' });
    } catch (error) {
      this.ended.inc({ queue, outcome: 'failed' });
      this.logger.error(error, 'A job failed');
      if (isUnavailable(error) && !isDatabaseUnavailable(error))
        await pause(this.storagePauseMs, undefined, { signal }).catch(() => undefined);
      await this.boss.fail(queue, job, { message: (error as Error).message });
    }
  }

  /**
   * Adds jobs in the caller's transaction. A key that is queued or running already is ignored; its row is still due, so the
   * scheduler enqueues it again later.
   */
  async enqueue(em: EntityManager, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const fairQueue = jobs.some(({ group }) => group !== undefined)
      ? new FairQueue(await waitingGroups(em, queue))
      : null;
    await this.boss.insert(
      queue,
      jobs.map(({ key, group }) => ({
        data: { key, ...(group !== undefined && { line: group }) },
        singletonKey: key,
        ...(group !== undefined && { group: { id: group } }),
        priority: group === undefined ? 0 : fairQueue!.next(group),
      })),
      { db: { executeSql: async (text, values) => ({ rows: await sql(em, text, values) }) } },
    );
  }

  /** Checks the queue immediately instead of at the next poll. Call it after the commit; a lost call only causes a short delay. */
  wake(queue: QueueName): void {
    this.workers.get(queue)?.wake();
  }

  /** Resolves when no job of the queue is running in this process or fetchable. For tests and orderly shutdowns. */
  async idle(queue: QueueName): Promise<void> {
    await this.workers.get(queue)?.idle();
  }

  /** Before the database closes, because running jobs have to record their progress. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.poll.stop(), ...[...this.workers.values()].map((worker) => worker.stop())]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }
}
