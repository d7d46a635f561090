import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { statusOf } from '../../identities/connection-status';
import type { Reason } from '../../integrations/core/reason';
import { sql } from '../../platform/database/sql';
import { MetricsCollector } from '../../platform/jobs/monitoring/metrics-collector';
import { Metrics } from '../../platform/metrics/metrics';
import { healthOf, type StateFields } from './connection-state';

/**
 * Milliseconds between two counts. The query reads the whole table, a million rows of 870 bytes in 1.5 s on two busy cores;
 * an index for it would be written with every fetch.
 */
const COUNT_EVERY_MS = 60_000;

/** The number of connections of one integration with the same state. Status and health depend only on whether a time is set. */
interface ConnectionGroup {
  readonly integration: string;
  readonly disabled: boolean;
  readonly rejected: boolean;
  readonly setUp: boolean;
  readonly failing: boolean;
  readonly failureReason: Reason | null;
  readonly overdue: boolean;
  readonly succeeded: boolean;
  readonly n: number;
}

const GROUPS = `
  select integration_id as integration, disabled_at is not null as disabled, credentials_rejected_at is not null as rejected,
    setup_completed_at is not null as "setUp", failing_since is not null as failing, failure_reason as "failureReason",
    overdue_since is not null as overdue, last_success_at is not null as succeeded, count(*)::int as n
  from connection group by 1, 2, 3, 4, 5, 6, 7, 8`;

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
    const groups = await sql<ConnectionGroup>(em, GROUPS);
    this.connections.reset();
    this.overdue.reset();
    for (const group of groups) {
      const { integration, overdue, n } = group;
      const state = stateOf(group);
      this.connections.inc({ integration, status: statusOf(state), health: healthOf(state) }, n);
      this.overdue.inc({ integration }, overdue ? n : 0);
    }
  }
}

function stateOf({
  disabled,
  rejected,
  setUp,
  failing,
  failureReason,
  overdue,
  succeeded,
}: ConnectionGroup): StateFields {
  const at = (isSet: boolean): Date | null => (isSet ? SOME_TIME : null);
  return {
    disabledAt: at(disabled),
    credentialsRejectedAt: at(rejected),
    setupCompletedAt: at(setUp),
    failingSince: at(failing),
    failureReason,
    overdueSince: at(overdue),
    lastSuccessAt: at(succeeded),
    createdAt: SOME_TIME,
  };
}

const SOME_TIME = new Date(0);
