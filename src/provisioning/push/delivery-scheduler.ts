import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { sql } from '../../platform/database/sql';
import { type JobHandler, Jobs } from '../../platform/jobs/jobs';
import { Recurring } from '../../platform/jobs/recurring-work';
import { hasNoJob } from '../../platform/jobs/job-queries';
import { DrainEndpoint } from './drain-endpoint';
import { expiredConditions } from './read-due';

/**
 * Endpoints that one process drains at the same time, in each queue. Nearly all of them wait for a response, which
 * costs a socket and some 50 KB. The limit bounds the process's memory and file descriptors.
 */
const MAX_CONCURRENT_ENDPOINTS = 2_000;
/** Endpoints whose first document is being prepared at the same time, which uses the database and the processor. */
const MAX_STARTING_PROMPT = 16;
/**
 * The same for endpoints that are new, slow or failing. They have a separate queue and use no capacity of those that
 * respond.
 */
const MAX_STARTING_SLOW = 8;
const QUEUES = ['drain-endpoint', 'drain-slow-endpoint'] as const;

/** An endpoint to which a document may be sent now: its environment and the queue for it. */
interface DueEndpoint {
  readonly uuid: string;
  readonly queue: (typeof QUEUES)[number];
}

/** SQL: a document has waited behind the open circuit for too long. */
const HAS_EXPIRED = expiredConditions('e.uuid', '$1', 'p.expire_before')
  .map((condition) => `exists (select 1 from transaction t where ${condition} and t.uuid <> all($2::uuid[]))`)
  .join(' or ');
/**
 * SQL: a document is due that this process may send; one condition for `lowPriority` and one for the others, as each has its
 * own index.
 */
const hasDue = (priority: string) => `exists (select 1 from transaction t
  where t.environment_uuid = e.uuid and ${priority} and t.due_at <= $1 and t.uuid <> all($2::uuid[]))`;

/** Scheduler of deliveries: enqueues a job for every endpoint to which a document may be sent now. */
@Injectable()
export class DeliveryScheduler implements OnApplicationBootstrap {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly drain: DrainEndpoint,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.runsWorker) return;
    const drain =
      (prompt: boolean): JobHandler =>
      (environment, signal, begun) =>
        this.drain.drain(environment, signal, { prompt, onStarted: begun });
    this.jobs.work('drain-endpoint', MAX_CONCURRENT_ENDPOINTS, drain(true), { starting: MAX_STARTING_PROMPT });
    this.jobs.work('drain-slow-endpoint', MAX_CONCURRENT_ENDPOINTS, drain(false), { starting: MAX_STARTING_SLOW });
  }

  /**
   * Costs one or two index probes per environment, regardless of the number of waiting documents, and one statement when there is
   * nothing to do, as nearly always.
   */
  @Recurring({ everyMs: 500, failure: 'Due deliveries could not be read' })
  async poll(): Promise<void> {
    if ((await this.findDue(this.em.fork())).length === 0) return;
    const found = await this.em.fork().transactional(async (em) => {
      // There are two queues and one job per endpoint: two concurrent polls could each enqueue one.
      await sql(em, `select pg_advisory_xact_lock(hashtextextended('docfetch due endpoints', 0))`);
      const due = await this.findDue(em);
      for (const queue of QUEUES) {
        const keys = due.filter((endpoint) => endpoint.queue === queue).map(({ uuid }) => ({ key: uuid }));
        await this.jobs.enqueue(em, queue, keys);
      }
      return new Set(due.map(({ queue }) => queue));
    });
    for (const queue of found) this.jobs.wake(queue);
  }

  private findDue(em: EntityManager): Promise<DueEndpoint[]> {
    return sql<DueEndpoint>(
      em,
      `select e.uuid, case when ${IS_PROMPT} then 'drain-endpoint' else 'drain-slow-endpoint' end as queue
       from environment e left join endpoint p on p.environment_uuid = e.uuid
       where e.strategy = 'PUSH' and e.fence is null and case
           when p.retry_after_until > $1 then false
           when p.circuit_open_until > $1 then p.expire_before is not null and (${HAS_EXPIRED})
           else ${hasDue('not t.low_priority')} or ${hasDue('t.low_priority')} end
         and ${hasNoDrainJob('e.uuid')}`,
      [this.clock.now(), this.drain.excludedTransactions],
    );
  }
}

/** SQL: the endpoint responded promptly the last time; null for one that has never responded. */
const IS_PROMPT = '(p.prompt and p.consecutive_failures = 0 and p.circuit_open_until is null)';

/** SQL: no job in either queue drains the endpoint of the environment in the given column. */
export const hasNoDrainJob = (column: string) => QUEUES.map((queue) => hasNoJob(queue, column)).join(' and ');
