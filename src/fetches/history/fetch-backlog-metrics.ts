import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { MAX_COUNTED, BacklogGauge, type BacklogRow } from '../../platform/jobs/monitoring/backlog-gauge';
import { Metrics } from '../../platform/metrics/metrics';
import { MetricsCollector } from '../../platform/jobs/monitoring/metrics-collector';
import { BacklogMonitor } from '../../platform/jobs/monitoring/backlog-monitor';

/** Metrics of overdue fetches, and of running fetches without a worker. */
@Injectable()
export class FetchBacklogMetrics {
  private readonly due;
  private readonly running;
  private readonly orphans;

  constructor(
    private readonly clock: Clock,
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
    const ages = [await this.dueConnections(em), await this.queuedFetches(em)].map(({ seconds }) =>
      Number(seconds ?? 0),
    );
    return Math.max(0, ...ages);
  }

  private async observe(em: EntityManager): Promise<void> {
    this.due.set(await this.dueConnections(em), { waiting_in: 'schedule' });
    this.due.set(await this.queuedFetches(em), { waiting_in: 'queue' });
    const [running] = await sql<BacklogRow & { orphans: number }>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds,
         (count(*) filter (where exists (
           select 1 from connection c where c.uuid = f.connection_uuid and c.leased_until < now())))::int as orphans
       from (select connection_uuid, created_at from fetch_unfinished where status = 'RUNNING'
             order by created_at limit ${MAX_COUNTED}) f`,
      [this.clock.now()],
    );
    this.running.set(running!);
    this.orphans.set(running!.orphans);
  }

  private async dueConnections(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(due)) as seconds
       from ((select next_fetch_at as due from connection where next_fetch_at <= $1 and lease_token is null order by next_fetch_at limit ${MAX_COUNTED})
             union all
             (select immediate_fetch_at from connection where immediate_fetch_at <= $1 and lease_token is null order by immediate_fetch_at limit ${MAX_COUNTED})) c`,
      [this.clock.now()],
    );
    return row!;
  }

  /** A fetch that waits for another one of its connection is not overdue. */
  private async queuedFetches(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds
       from (select created_at from fetch_unfinished q where status = 'QUEUED'
               and connection_uuid not in (select connection_uuid from fetch_unfinished where status = 'RUNNING')
             order by created_at limit ${MAX_COUNTED}) f`,
      [this.clock.now()],
    );
    return row!;
  }
}
