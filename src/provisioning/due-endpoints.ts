import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../platform/clock';
import { Settings } from '../platform/config';
import { sql } from '../platform/database/sql';
import { Jobs } from '../platform/jobs/jobs';
import { oneAtATime } from '../platform/jobs/one-at-a-time';
import { hasNoJob } from '../platform/jobs/waiting-jobs';
import { DrainEndpoint } from './drain-endpoint';
import { expired } from './read-due';

/**
 * Endpoints that one process looks after at the same time. Pushing is mostly waiting: far more of them than fetches, so
 * that those that are slow or dead do not take all places.
 */
const ENDPOINTS_AT_ONCE = 50;
/** Probes have places of their own: hundreds of endpoints that hang take none from those that answer. */
const PROBES_AT_ONCE = 50;
const QUEUES = ['drain-endpoint', 'probe-endpoint'] as const;

/** SQL: some document has waited behind the open circuit for too long. */
const EXPIRED = expired('e.uuid', '$1', 'p.expire_before')
  .map((condition) => `exists (select 1 from transaction t where ${condition})`)
  .join(' or ');

/** The calendar of deliveries: makes a job for every endpoint to which something may be sent now. */
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
    const drain = (environment: string, signal: AbortSignal) => this.drain.run(environment, signal);
    this.jobs.work('drain-endpoint', ENDPOINTS_AT_ONCE, drain);
    this.jobs.work('probe-endpoint', PROBES_AT_ONCE, drain);
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
      const rows = await sql<{ uuid: string; queue: (typeof QUEUES)[number] }>(
        em,
        `select e.uuid, case when p.held_until is null then 'drain-endpoint' else 'probe-endpoint' end as queue
         from environment e left join endpoint p on p.environment_uuid = e.uuid
         where e.strategy = 'PUSH' and case
             when p.asked_until > $1 then false
             when p.held_until > $1 then p.expire_before is not null and (${EXPIRED})
             else exists (select 1 from transaction t where t.environment_uuid = e.uuid and not t.bulk and t.due_at <= $1)
               or exists (select 1 from transaction t where t.environment_uuid = e.uuid and t.bulk and t.due_at <= $1) end
           and ${notServed('e.uuid')}`,
        [this.clock.now()],
      );
      for (const queue of QUEUES) {
        const keys = rows.filter((row) => row.queue === queue).map(({ uuid }) => ({ key: uuid }));
        await this.jobs.enqueue(em, queue, keys);
      }
      return new Set(rows.map(({ queue }) => queue));
    });
    for (const queue of found) this.jobs.nudge(queue);
  }
}

/** SQL: nobody is sending to the endpoint of the environment in that column, or about to. */
export const notServed = (column: string) => QUEUES.map((queue) => hasNoJob(queue, column)).join(' and ');
