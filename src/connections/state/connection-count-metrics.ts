import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { Metrics } from '../../platform/metrics/metrics';
import { MetricsCollector } from '../../platform/jobs/monitoring/metrics-collector';

/** Compaction starts above this number of rows; there are far fewer combinations of integration, status and health. */
const ROWS_TO_COMPACT = 500;

/**
 * Exports the number of connections by integration, status and health. Triggers record every change as a delta, so that
 * millions of connections need not be counted; this class compacts the deltas and reads their sums.
 */
@Injectable()
export class ConnectionCountMetrics {
  private readonly connections;
  private readonly overdue;

  constructor(
    private readonly em: EntityManager,
    metrics: Metrics,
    collector: MetricsCollector,
  ) {
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
    collector.add((em) => this.collect(em));
  }

  /** Safe to call from several instances at once; one of them does the work. */
  @Recurring({ everyMs: 10_000, failure: 'Compacting the connection counts failed' })
  async compact(): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const [lock] = await sql<{ mine: boolean }>(
        em,
        `select pg_try_advisory_xact_lock(hashtext('connection_tally')) and count(*) > ${ROWS_TO_COMPACT} as mine
         from (select from connection_tally limit ${ROWS_TO_COMPACT + 1}) t`,
      );
      if (!lock!.mine) return;
      await sql(
        em,
        `with folded as (delete from connection_tally returning *)
         insert into connection_tally
           select integration_id, status, health, overdue, sum(n) from folded group by 1, 2, 3, 4 having sum(n) <> 0`,
      );
    });
  }

  private async collect(em: EntityManager): Promise<void> {
    const rows = await sql<ConnectionCountRow>(
      em,
      `select integration_id as integration, status, health, sum(n)::int as n,
         (sum(n) filter (where overdue))::int as overdue
       from connection_tally group by 1, 2, 3`,
    );
    this.connections.reset();
    this.overdue.reset();
    for (const { integration, status, health, n, overdue } of rows) {
      if (n !== 0) this.connections.set({ integration, status, health }, n);
      this.overdue.inc({ integration }, overdue ?? 0);
    }
  }
}

interface ConnectionCountRow {
  readonly integration: string;
  readonly status: string;
  readonly health: string;
  readonly n: number;
  readonly overdue: number | null;
}
