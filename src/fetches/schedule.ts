import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../platform/clock';
import { Settings } from '../platform/config';
import { sql } from '../platform/database/sql';
import { Jobs } from '../platform/jobs/jobs';
import { oneAtATime } from '../platform/jobs/one-at-a-time';
import type { FetchTrigger } from './fetch.entity';
import { queueFetch } from './queue-fetch';

/** What one look takes at the most; it looks again at once while there is more. */
const BATCH = 200;

interface DueConnection {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly trigger: FetchTrigger;
}

/**
 * The calendar: turns connections whose time has come into fetches and jobs. Costs what is due, not what exists; any
 * number of instances may look at once, and one that dies takes nothing with it.
 */
@Injectable()
export class Schedule implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Schedule.name);
  private readonly lookOnce = oneAtATime(() => this.look(), this.logger, 'The calendar could not be read');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
  ) {}

  @Interval(1000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.lookOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.lookOnce.close();
  }

  /** Queues everything that is due now. */
  async look(): Promise<void> {
    for (let found = BATCH; found >= BATCH;) {
      found = await this.em.fork().transactional((em) => this.queueDue(em));
      if (found > 0) this.jobs.nudge('run-fetches');
    }
    await this.em.fork().transactional((em) => this.bringUpForgotten(em));
  }

  private async queueDue(em: EntityManager): Promise<number> {
    const now = this.clock.now();
    const wanted = await this.take(
      em,
      `update connection c set wanted_fetch_at = null, wanted_fetch_trigger = null
       from (select uuid, wanted_fetch_trigger as trigger from connection where wanted_fetch_at <= $1
             order by wanted_fetch_at limit ${BATCH} for update skip locked) due
       where c.uuid = due.uuid returning c.uuid, c.environment_uuid, due.trigger`,
      now,
    );
    const scheduled = await this.take(
      em,
      // What is overdue runs once, not once per missed interval.
      `update connection c set next_fetch_at = greatest(due.next_fetch_at, $1 - make_interval(mins => 1))
                                               + make_interval(mins => e.fetch_interval_minutes)
       from (select uuid, next_fetch_at from connection where next_fetch_at <= $1
             order by next_fetch_at limit ${BATCH} for update skip locked) due, environment e
       where c.uuid = due.uuid and e.uuid = c.environment_uuid
       returning c.uuid, c.environment_uuid, case when c.failing_since is null then 'SCHEDULED' else 'RECOVERY' end as trigger`,
      now,
    );
    const due = [...wanted, ...scheduled];
    for (const { uuid, environment_uuid: environmentUuid, trigger } of due) {
      queueFetch(em, { uuid, environmentUuid }, trigger, now);
    }
    await em.flush();
    await this.jobs.enqueue(
      em,
      'run-fetches',
      due.map(({ uuid }) => ({ key: uuid })),
    );
    return Math.max(wanted.length, scheduled.length);
  }

  private take(em: EntityManager, statement: string, now: Date): Promise<DueConnection[]> {
    return sql<DueConnection>(em, statement, [now]);
  }

  /** A fetch whose job was dropped because another one was just ending, or whose jobs have all failed. */
  private async bringUpForgotten(em: EntityManager): Promise<void> {
    const rows = await sql<{ connection_uuid: string }>(
      em,
      `select distinct connection_uuid from fetch_run f
       where status in ('QUEUED', 'RUNNING') and ${this.jobs.hasNoJob('run-fetches', 'f.connection_uuid')} limit ${BATCH}`,
    );
    await this.jobs.enqueue(
      em,
      'run-fetches',
      rows.map((row) => ({ key: row.connection_uuid })),
    );
    if (rows.length > 0) this.jobs.nudge('run-fetches');
  }
}
