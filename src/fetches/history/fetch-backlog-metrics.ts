import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { BacklogGauge } from '../../platform/jobs/monitoring/backlog-gauge';
import { Metrics } from '../../platform/metrics/metrics';
import { MetricsCollector } from '../../platform/jobs/monitoring/metrics-collector';
import { BacklogMonitor } from '../../platform/jobs/monitoring/backlog-monitor';
import { FetchBacklog } from './fetch-backlog';

/** Metrics of overdue fetches, and of running fetches without a worker. */
@Injectable()
export class FetchBacklogMetrics {
  private readonly due;
  private readonly running;
  private readonly orphans;

  constructor(
    private readonly backlog: FetchBacklog,
    metrics: Metrics,
    observations: MetricsCollector,
    late: BacklogMonitor,
  ) {
    this.due = new BacklogGauge(
      metrics,
      'docfetch_fetches_due',
      'Due fetches that have not started and whose connection is not being fetched ("schedule": of the schedule, or immediate ones; "queue": queued ones)',
      ['waiting_in'],
    );
    this.running = new BacklogGauge(metrics, 'docfetch_fetches_running', 'Fetches that have started and not ended');
    this.orphans = metrics.systemGauge(
      'docfetch_fetches_without_worker',
      'Running fetches whose worker has not renewed its lease; another one takes them over within seconds.',
    );
    observations.add((em) => this.observe(em));
    late.watch('fetches', (em) => this.oldestDueSeconds(em));
  }

  /** The time since which the oldest fetch has been due, in seconds; 0 when none is. */
  async oldestDueSeconds(em: EntityManager): Promise<number> {
    const ages = [await this.backlog.dueConnections(em), await this.backlog.queued(em)].map(({ seconds }) =>
      Number(seconds ?? 0),
    );
    return Math.max(0, ...ages);
  }

  private async observe(em: EntityManager): Promise<void> {
    this.due.set(await this.backlog.dueConnections(em), { waiting_in: 'schedule' });
    this.due.set(await this.backlog.queued(em), { waiting_in: 'queue' });
    const running = await this.backlog.running(em);
    this.running.set(running);
    this.orphans.set(running.orphans);
  }
}
