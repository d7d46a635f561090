import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../platform/clock';
import { Settings } from '../platform/config';
import { sql } from '../platform/database/sql';
import { Jobs } from '../platform/jobs/jobs';
import { oneAtATime } from '../platform/jobs/one-at-a-time';
import { DrainEndpoint } from './drain-endpoint';

/**
 * Endpoints that one process looks after at the same time. Pushing is mostly waiting: far more of them than fetches, so
 * that those that are slow or dead do not take all places.
 */
const ENDPOINTS_AT_ONCE = 50;

/** The calendar of deliveries: makes a job for every endpoint that has something due and is not held back. */
@Injectable()
export class DueEndpoints implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DueEndpoints.name);
  private readonly lookOnce = oneAtATime(
    () => this.look(),
    this.logger,
    'The calendar of deliveries could not be read',
  );

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly drain: DrainEndpoint,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.runsWorker) return;
    this.jobs.work('drain-endpoint', ENDPOINTS_AT_ONCE, (environment, signal) => this.drain.run(environment, signal));
  }

  @Interval(500)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.lookOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.lookOnce.close();
  }

  /** Costs an index probe or two per environment, however many documents wait. */
  async look(): Promise<void> {
    const found = await this.em.fork().transactional(async (em) => {
      const rows = await sql<{ uuid: string }>(
        em,
        `select e.uuid from environment e left join endpoint p on p.environment_uuid = e.uuid
         where e.strategy = 'PUSH' and (p.held_until is null or p.held_until <= $1)
           and (exists (select 1 from transaction t where t.environment_uuid = e.uuid and not t.bulk and t.due_at <= $1)
             or exists (select 1 from transaction t where t.environment_uuid = e.uuid and t.bulk and t.due_at <= $1))
           and ${this.jobs.hasNoJob('drain-endpoint', 'e.uuid')}`,
        [this.clock.now()],
      );
      await this.jobs.enqueue(
        em,
        'drain-endpoint',
        rows.map((row) => ({ key: row.uuid })),
      );
      return rows.length;
    });
    if (found > 0) this.jobs.nudge('drain-endpoint');
  }
}
