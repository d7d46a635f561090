import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { BacklogMonitor } from '../../platform/jobs/monitoring/backlog-monitor';
import { MAX_COUNTED, BacklogGauge, type BacklogRow } from '../../platform/jobs/monitoring/backlog-gauge';
import { Metrics } from '../../platform/metrics/metrics';
import { MetricsCollector } from '../../platform/jobs/monitoring/metrics-collector';

/** Metrics of the delay of deliveries and webhooks, and of blocked endpoints. */
@Injectable()
export class DeliveryBacklogMetrics {
  private readonly due;
  private readonly webhooks;
  private readonly outboxEvents;
  private readonly blocked;

  constructor(
    private readonly clock: Clock,
    metrics: Metrics,
    observations: MetricsCollector,
    late: BacklogMonitor,
  ) {
    this.due = new BacklogGauge(
      metrics,
      'docfetch_deliveries_due',
      'Documents that are due to be pushed for the first time or alone (held_back="true": to an endpoint that gets trials only)',
      ['held_back'],
    );
    this.webhooks = new BacklogGauge(metrics, 'docfetch_webhooks_waiting', 'Events that wait to be sent to a webhook');
    this.outboxEvents = new BacklogGauge(
      metrics,
      'docfetch_outbox_waiting',
      'Events that are not yet dispatched to webhooks',
    );
    this.blocked = metrics.systemGauge(
      'docfetch_endpoints_held_back',
      'Client endpoints that have failed five times in a row, or asked for a pause, and get trials only.',
    );
    observations.add((em) => this.observe(em));
    late.watch('deliveries', async (em) => Number((await this.dueDeliveries(em, false)).seconds ?? 0));
    late.watch('webhooks', async (em) => Number((await this.waitingWebhooks(em)).seconds ?? 0));
    late.watch('events of the outbox', async (em) => Number((await this.waitingOutboxEvents(em)).seconds ?? 0));
  }

  private async observe(em: EntityManager): Promise<void> {
    this.due.set(await this.dueDeliveries(em, false), { held_back: 'false' });
    this.due.set(await this.dueDeliveries(em, true), { held_back: 'true' });
    this.webhooks.set(await this.waitingWebhooks(em));
    this.outboxEvents.set(await this.waitingOutboxEvents(em));
    const [held] = await sql<{ n: number }>(
      em,
      'select count(*)::int as n from endpoint where circuit_open_until is not null',
    );
    this.blocked.set(held!.n);
  }

  /** Reads each environment separately along the index of due rows. */
  private async dueDeliveries(em: EntityManager, heldBack: boolean): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(due_at)) as seconds
       from (select t.due_at from environment e left join endpoint p on p.environment_uuid = e.uuid
             cross join lateral (select due_at from transaction where environment_uuid = e.uuid and not low_priority
                                 and due_at <= $1 order by due_at limit ${MAX_COUNTED}) t
             where e.strategy = 'PUSH' and (p.circuit_open_until is not null) = $2 limit ${MAX_COUNTED}) d`,
      [this.clock.now(), heldBack],
    );
    return row!;
  }

  private async waitingWebhooks(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds
       from (select created_at from webhook_delivery where state = 'WAITING' limit ${MAX_COUNTED}) w`,
      [this.clock.now()],
    );
    return row!;
  }

  private async waitingOutboxEvents(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds
       from (select created_at from outbox where dispatched_at is null order by uuid limit ${MAX_COUNTED}) o`,
      [this.clock.now()],
    );
    return row!;
  }
}
