import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { isServed } from '../../identities/environments/is-served';
import { jsonb, sql } from '../../platform/database/sql';
import { type JobHandler, Jobs } from '../../platform/jobs/jobs';
import { Recurring } from '../../platform/jobs/recurring-work';
import { hasNoJob } from '../../platform/jobs/job-queries';
import { DrainWebhook } from './drain-webhook';

/**
 * Events that one transaction claims, the same number for every environment; the next one follows at once while there
 * are more.
 */
const DISPATCH_BATCH = 200;
/** Webhooks that one process sends to at the same time: nearly all of them wait for a response, which costs a socket. */
const MAX_CONCURRENT_WEBHOOKS = 2_000;
/** Webhooks whose first event is being prepared at the same time, which uses the database and the processor. */
const MAX_STARTING_WEBHOOKS = 16;
/** Limit per environment over all processes, and lower while capacity is scarce. */
const MAX_WEBHOOKS_PER_ENVIRONMENT = 10;

/** An event for one of its webhooks. */
interface FannedOutEvent {
  readonly event_uuid: string;
  readonly type: string;
  readonly webhook_uuid: string;
  readonly traceparent: string | null;
  readonly linked_traceparent: string | null;
}

/**
 * Fans events out to webhooks: inserts one delivery for every registration that subscribes to an event, in the
 * transaction that marks the event as dispatched, and enqueues a job for every registration with waiting deliveries.
 * Any number of instances may poll at the same time.
 */
@Injectable()
export class DispatchEvents implements OnApplicationBootstrap {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly drain: DrainWebhook,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.runsWorker) return;
    const drain: JobHandler = (webhook, signal, begun) => this.drain.drain(webhook, signal, begun);
    const limits = { perGroup: MAX_WEBHOOKS_PER_ENVIRONMENT, starting: MAX_STARTING_WEBHOOKS };
    this.jobs.work('drain-webhook', MAX_CONCURRENT_WEBHOOKS, drain, limits);
  }

  /**
   * Costs as much as the number of new events, and a probe for each registration with waiting deliveries. Dispatched
   * events are sent immediately, without waiting for the remaining events of other environments.
   */
  @Recurring({ everyMs: 500, failure: 'Events could not be dispatched' })
  async poll(): Promise<void> {
    for (let more = true; more;) {
      more = await this.dispatch();
      if ((await this.enqueueDrains()) > 0) this.jobs.wake('drain-webhook');
    }
  }

  /** Returns whether an environment may have more events than were claimed. */
  private async dispatch(): Promise<boolean> {
    const environments = await this.environmentsWithEvents();
    if (environments.length === 0) return false;
    const share = Math.max(1, Math.floor(DISPATCH_BATCH / environments.length));
    return this.em.fork().transactional(async (em) => {
      const claimed = await this.claim(em, environments, share);
      if (claimed.length > 0) await this.fanOut(em, claimed.flat());
      return claimed.some((events) => events.length >= share);
    });
  }

  /** Goes from one environment to the next along the index, regardless of their number of events. */
  private async environmentsWithEvents(): Promise<string[]> {
    const rows = await sql<{ uuid: string }>(
      this.em.fork(),
      `with recursive client as (
         (select environment_uuid as uuid from outbox where dispatched_at is null order by environment_uuid limit 1)
         union all
         select (select o.environment_uuid from outbox o
                 where o.dispatched_at is null and o.environment_uuid > c.uuid order by o.environment_uuid limit 1)
         from client c where c.uuid is not null
       )
       select uuid from client where uuid is not null and ${isServed('client.uuid')}`,
    );
    return rows.map(({ uuid }) => uuid);
  }

  /** Claims the oldest events of each environment, without those that another instance has locked. */
  private async claim(em: EntityManager, environments: readonly string[], share: number): Promise<string[][]> {
    const rows = await sql<{ uuid: string; client: string }>(
      em,
      `select own.uuid, client.uuid as client from unnest($1::uuid[]) as client (uuid) cross join lateral (
         select uuid from outbox where dispatched_at is null and environment_uuid = client.uuid
         order by uuid limit $2 for update skip locked) own`,
      [environments, share],
    );
    return [...Map.groupBy(rows, ({ client }) => client).values()].map((own) => own.map(({ uuid }) => uuid));
  }

  private async fanOut(em: EntityManager, uuids: readonly string[]): Promise<void> {
    const deliveries = await sql<FannedOutEvent>(
      em,
      `select o.uuid as event_uuid, o.type, w.uuid as webhook_uuid, o.traceparent, o.linked_traceparent
       from outbox o join webhook w on w.environment_uuid = o.environment_uuid and w.connection_uuid is null
       where o.uuid = any($1::uuid[]) and w.disabled_at is null and w.events ? o.type
       union all
       select o.uuid, o.type, w.uuid, o.traceparent, o.linked_traceparent from outbox o
       join webhook w on w.connection_uuid = o.subject_uuid and w.environment_uuid = o.environment_uuid
       where o.uuid = any($1::uuid[]) and w.disabled_at is null and w.events ? o.type
       order by 1`,
      [uuids],
    );
    await sql(
      em,
      `insert into webhook_delivery (uuid, environment_uuid, retention_class, webhook_uuid, event_uuid, type, state, created_at,
         traceparent, linked_traceparent)
       select d.uuid, w.environment_uuid, e.retention_class, d.webhook_uuid, d.event_uuid, d.type, 'WAITING', $2,
         d.traceparent, d.linked_traceparent
       from jsonb_to_recordset($1::jsonb)
         as d (uuid uuid, webhook_uuid uuid, event_uuid uuid, type text, traceparent text, linked_traceparent text)
       join webhook w on w.uuid = d.webhook_uuid join environment e on e.uuid = w.environment_uuid
       for key share of w`,
      [jsonb(deliveries.map((row) => ({ uuid: uuid(), ...row }))), this.clock.now()],
    );
    await sql(em, 'update outbox set dispatched_at = $2 where uuid = any($1::uuid[])', [uuids, this.clock.now()]);
  }

  /**
   * Enqueues a job for each registration with waiting deliveries, or wakes the drain that runs here. Goes from one
   * registration to the next along the index, regardless of their number of deliveries. Returns the number of new jobs.
   */
  private async enqueueDrains(): Promise<number> {
    const rows = await sql<{ uuid: string; environment_uuid: string; idle: boolean }>(
      this.em.fork(),
      `with recursive waiting as (
         (select webhook_uuid from webhook_delivery where state = 'WAITING' order by webhook_uuid limit 1)
         union all
         select (select d.webhook_uuid from webhook_delivery d
                 where d.state = 'WAITING' and d.webhook_uuid > w.webhook_uuid order by d.webhook_uuid limit 1)
         from waiting w where w.webhook_uuid is not null
       )
       select w.uuid, w.environment_uuid, ${hasNoJob('drain-webhook', 'w.uuid')} as idle
       from waiting join webhook w on w.uuid = waiting.webhook_uuid where ${isServed('w.environment_uuid')}`,
    );
    const idle = rows.filter((row) => row.idle);
    const jobs = idle.map((row) => ({ key: row.uuid, group: row.environment_uuid }));
    if (jobs.length > 0) await this.em.fork().transactional((em) => this.jobs.enqueue(em, 'drain-webhook', jobs));
    for (const { uuid: busy } of rows) this.drain.wake(busy);
    return idle.length;
  }
}
