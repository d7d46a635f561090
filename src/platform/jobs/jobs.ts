import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { type Job, PgBoss } from 'pg-boss';
import { Settings } from '../config';
import { sql } from '../database/sql';
import { HEARTBEAT_SECONDS, type QueueName } from './queues';
import { Worker } from './worker';

/** A job to be: the row it is about, and how urgent it is (higher first). */
export interface NewJob {
  readonly key: string;
  readonly priority?: number;
}

/** Does one job. `signal` is aborted when the process shuts down: stop at the next safe place and return. */
export type Handler = (key: string, signal: AbortSignal) => Promise<void>;

/**
 * The job engine (pg-boss). It holds only what is due now; schedules are columns. Jobs are made in the caller's
 * transaction, run at least once, and are taken over within a minute when their worker dies.
 */
@Injectable()
export class Jobs implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly workers = new Map<QueueName, Worker>();
  private readonly boss: PgBoss;

  constructor(settings: Settings) {
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
    this.boss.on('error', (error) => this.logger.error(error, 'The job engine reports an error'));
  }

  async onModuleInit(): Promise<void> {
    await this.boss.start();
  }

  /** Starts working on a queue, up to `concurrency` jobs at once in this process. Call once per queue. */
  work(queue: QueueName, concurrency: number, handler: Handler): void {
    const worker = new Worker({
      concurrency,
      heartbeatMilliseconds: (HEARTBEAT_SECONDS * 1000) / 3,
      fetch: (batchSize) => this.boss.fetch<{ key: string }>(queue, { batchSize }),
      touch: (jobs) => this.boss.touch(queue, jobs),
      run: async (job, signal) => this.runOne(queue, handler, job, signal),
      failed: (error) => this.logger.error(error, `Queue ${queue} cannot be read`),
    });
    this.workers.set(queue, worker);
    worker.start();
  }

  private async runOne(queue: QueueName, handler: Handler, job: Job<{ key: string }>, signal: AbortSignal) {
    try {
      await handler(job.data.key, signal);
      await this.boss.complete(queue, job);
    } catch (error) {
      this.logger.error(error, `Job ${queue} ${job.data.key} failed`);
      await this.boss.fail(queue, job, { message: (error as Error).message });
    }
  }

  /**
   * Adds jobs in the caller's transaction: they exist if and when it commits. A key that is queued or running already is
   * left as it is; the row behind it is still due, so the calendar brings it up again.
   */
  async enqueue(em: EntityManager, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.boss.insert(
      queue,
      jobs.map(({ key, priority = 0 }) => ({ data: { key }, singletonKey: key, priority })),
      { db: { executeSql: async (text, values) => ({ rows: await sql(em, text, values) }) } },
    );
  }

  /** An SQL condition: no job of the queue is waiting or running for the key in `column`. */
  hasNoJob(queue: QueueName, column: string): string {
    return `not exists (select 1 from pgboss.job j where j.name = '${queue}' and j.singleton_key = ${column}::text
              and j.state in ('created', 'retry', 'active'))`;
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
    await Promise.all([...this.workers.values()].map((worker) => worker.stop()));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }
}
