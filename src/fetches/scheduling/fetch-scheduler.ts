import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Jobs } from '../../platform/jobs/jobs';
import { Recurring } from '../../platform/jobs/recurring-work';
import { countWaiting, hasNoJob } from '../../platform/jobs/job-queries';
import { queueFetches } from './queue-fetch';
import { type DueConnection, claimDue } from './claim-due';

/** Connections per transaction; repeated while more are due. */
const BATCH = 200;
/**
 * The maximum number of queued jobs, plus up to one batch per instance. Further due connections stay in the schedule, where they
 * cost nothing, can be disabled or deleted at once, and are claimed fairly per client when there is room.
 */
const MAX_QUEUED_JOBS = 2000;

/**
 * Turns due connections into fetches and jobs. The cost depends on the number of due connections only; any number of instances may
 * poll concurrently, and one that dies loses nothing.
 */
@Injectable()
export class FetchScheduler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  /** Queues the fetches that are due, up to the limit of queued jobs. */
  @Recurring({ everyMs: 1000, failure: 'The schedule could not be read' })
  async poll(): Promise<void> {
    for (;;) {
      const claimed = await this.em.fork().transactional((em) => this.queueDue(em));
      if (claimed === 0) break;
      this.jobs.wake('run-fetches');
    }
    await this.em.fork().transactional((em) => this.requeueOrphans(em));
  }

  private async queueDue(em: EntityManager): Promise<number> {
    if ((await countWaiting(em, 'run-fetches', MAX_QUEUED_JOBS)) >= MAX_QUEUED_JOBS) return 0;
    const now = this.clock.now();
    const { immediate, scheduled } = await claimDue(em, now, BATCH);
    const due = [...immediate, ...scheduled];
    await queueFetches(
      em,
      due.filter(({ queued }) => !queued),
      now,
    );
    // Two groups per client: an immediate fetch, for which a user may wait, does not wait for the client's scheduled ones.
    await this.jobs.enqueue(em, 'run-fetches', [...jobsOf(immediate, ':wanted'), ...jobsOf(scheduled)]);
    return due.length;
  }

  /** Queues a job for fetches that have none: it was dropped because another one was just ending, or all of them have failed. */
  private async requeueOrphans(em: EntityManager): Promise<void> {
    const rows = await sql<{ uuid: string; environment_uuid: string }>(
      em,
      `select distinct connection_uuid as uuid, environment_uuid from "fetch" f
       where status in ('QUEUED', 'RUNNING') and ${hasNoJob('run-fetches', 'f.connection_uuid')} limit ${BATCH}`,
    );
    await this.jobs.enqueue(em, 'run-fetches', jobsOf(rows));
    if (rows.length > 0) this.jobs.wake('run-fetches');
  }
}

function jobsOf(connections: readonly Pick<DueConnection, 'uuid' | 'environment_uuid'>[], line = '') {
  return connections.map(({ uuid, environment_uuid: client }) => ({ key: uuid, group: client + line }));
}
