import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { sql } from '../../platform/database/sql';
import { Jobs } from '../../platform/jobs/jobs';
import { nonOverlapping } from '../../platform/jobs/non-overlapping';
import { countWaiting, hasNoJob } from '../../platform/jobs/job-queries';
import { queueFetches } from './queue-fetch';
import { type DueConnection, claimDue } from './claim-due';

/** What one look takes at once; it looks again while there is more. */
const BATCH = 200;
/**
 * Jobs that wait for a worker at the most, give or take a batch for each instance. What else is due waits in the calendar:
 * it costs nothing there, can still be disabled or deleted at once, and each client gets its turn when there is room again.
 */
const WAITING_JOBS = 2000;

/**
 * The calendar: turns connections whose time has come into fetches and jobs. Costs what is due, not what exists; any
 * number of instances may look at once, and one that dies takes nothing with it.
 */
@Injectable()
export class FetchScheduler implements BeforeApplicationShutdown {
  private readonly logger = new Logger(FetchScheduler.name);
  private readonly pollOnce = nonOverlapping(() => this.poll(), this.logger, 'The calendar could not be read');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
  ) {}

  @Interval(1000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.pollOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.pollOnce.close();
  }

  /** Queues what is due now, as far as there is room. */
  async poll(): Promise<void> {
    for (;;) {
      const found = await this.em.fork().transactional((em) => this.queueDue(em));
      if (found === 0) break;
      this.jobs.nudge('run-fetches');
    }
    await this.em.fork().transactional((em) => this.requeueOrphans(em));
  }

  private async queueDue(em: EntityManager): Promise<number> {
    if ((await countWaiting(em, 'run-fetches', WAITING_JOBS)) >= WAITING_JOBS) return 0;
    const now = this.clock.now();
    const { wanted, scheduled } = await claimDue(em, now, BATCH);
    const due = [...wanted, ...scheduled];
    await queueFetches(
      em,
      due.filter(({ queued }) => !queued),
      now,
    );
    // A client has two lines: what is wanted now, its user may be waiting for it, does not wait behind its own schedule.
    await this.jobs.enqueue(em, 'run-fetches', [...jobsOf(wanted, ':wanted'), ...jobsOf(scheduled)]);
    return due.length;
  }

  /** A fetch whose job was dropped because another one was just ending, or whose jobs have all failed. */
  private async requeueOrphans(em: EntityManager): Promise<void> {
    const rows = await sql<{ uuid: string; environment_uuid: string }>(
      em,
      `select distinct connection_uuid as uuid, environment_uuid from fetch_run f
       where status in ('QUEUED', 'RUNNING') and ${hasNoJob('run-fetches', 'f.connection_uuid')} limit ${BATCH}`,
    );
    await this.jobs.enqueue(em, 'run-fetches', jobsOf(rows));
    if (rows.length > 0) this.jobs.nudge('run-fetches');
  }
}

function jobsOf(connections: readonly Pick<DueConnection, 'uuid' | 'environment_uuid'>[], line = '') {
  return connections.map(({ uuid, environment_uuid: client }) => ({ key: uuid, line: client + line }));
}
