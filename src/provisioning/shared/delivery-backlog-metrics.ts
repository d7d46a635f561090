import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { BacklogMonitor } from '../../platform/jobs/monitoring/backlog-monitor';
import { BacklogGauge } from '../../platform/jobs/monitoring/backlog-gauge';
import { Metrics } from '../../platform/metrics/metrics';
import { DeliveryBacklog } from './delivery-backlog';
import { MetricsCollector } from '../../platform/jobs/monitoring/metrics-collector';

/** Metrics of the delay of deliveries and webhooks, and of blocked endpoints. */
@Injectable()
export class DeliveryBacklogMetrics {
  private readonly due;
  private readonly webhooks;
  private readonly outboxEvents;
  private readonly blocked;

  constructor(
    private readonly backlog: DeliveryBacklog,
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
    late.watch('deliveries', async (em) => Number((await this.backlog.due(em, false)).seconds ?? 0));
    late.watch('webhooks', async (em) => Number((await this.backlog.waitingWebhooks(em)).seconds ?? 0));
    late.watch('events of the outbox', async (em) => Number((await this.backlog.waitingEvents(em)).seconds ?? 0));
  }

  private async observe(em: EntityManager): Promise<void> {
    this.due.set(await this.backlog.due(em, false), { held_back: 'false' });
    this.due.set(await this.backlog.due(em, true), { held_back: 'true' });
    this.webhooks.set(await this.backlog.waitingWebhooks(em));
    this.outboxEvents.set(await this.backlog.waitingEvents(em));
    this.blocked.set(await this.backlog.openCircuits(em));
  }
}
