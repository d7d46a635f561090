import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MetricsCollector } from '../../platform/jobs/monitoring/metrics-collector';
import { Metrics } from '../../platform/metrics/metrics';
import { countByState } from './count-by-state';

/**
 * Milliseconds between two counts. The query reads the whole table, a million rows of 870 bytes in 1.5 s on two busy cores;
 * an index for it would be written with every fetch.
 */
const COUNT_EVERY_MS = 60_000;

/** Exports the number of connections by integration, status and health. */
@Injectable()
export class ConnectionCountMetrics {
  private readonly connections;
  private readonly overdue;
  private nextCountAt = 0;

  constructor(metrics: Metrics, collector: MetricsCollector) {
    this.connections = metrics.systemGauge('docfetch_connections', 'Connections by integration, status and health.', [
      'integration',
      'status',
      'health',
    ]);
    this.overdue = metrics.systemGauge(
      'docfetch_connections_overdue',
      'Active connections for which no fetch has succeeded for three intervals.',
      ['integration'],
    );
    collector.add((em) => this.countAtInterval(em));
  }

  private async countAtInterval(em: EntityManager): Promise<void> {
    if (performance.now() < this.nextCountAt) return;
    await this.count(em);
    this.nextCountAt = performance.now() + COUNT_EVERY_MS;
  }

  /** Replaces the values by the current ones. */
  async count(em: EntityManager): Promise<void> {
    const groups = await countByState(em);
    this.connections.reset();
    this.overdue.reset();
    for (const { integration, status, health, isOverdue, n } of groups) {
      this.connections.inc({ integration, status, health }, n);
      this.overdue.inc({ integration }, isOverdue ? n : 0);
    }
  }
}
