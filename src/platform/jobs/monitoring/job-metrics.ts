import { Injectable } from '@nestjs/common';
import { sql } from '../../database/sql';
import { QUEUES } from '../queues';
import { Metrics } from '../../metrics/metrics';
import { MetricsCollector } from './metrics-collector';

/** Exposes the job counts that the job engine updates every five seconds. */
@Injectable()
export class JobMetrics {
  constructor(metrics: Metrics, observations: MetricsCollector) {
    const jobs = metrics.systemGauge(
      'docfetch_jobs',
      'Jobs by queue and state at the last count by a worker; failed jobs are kept for ten minutes.',
      ['queue', 'state'],
    );
    const countedAt = metrics.systemGauge(
      'docfetch_jobs_counted_timestamp_seconds',
      'When a worker last counted the jobs; if it does not change, no worker is running.',
    );
    observations.add(async (em) => {
      const rows = await sql<QueueCounts>(
        em,
        `select name, queued_count, active_count, failed_count, extract(epoch from monitor_on) as counted_at
         from pgboss.queue where name = any($1::text[])`,
        [QUEUES],
      );
      for (const { name: queue, queued_count, active_count, failed_count } of rows) {
        jobs.set({ queue, state: 'queued' }, queued_count);
        jobs.set({ queue, state: 'active' }, active_count);
        jobs.set({ queue, state: 'failed' }, failed_count);
      }
      countedAt.set(Math.max(0, ...rows.map((row) => Number(row.counted_at ?? 0))));
    });
  }
}

interface QueueCounts {
  readonly name: string;
  readonly queued_count: number;
  readonly active_count: number;
  readonly failed_count: number;
  readonly counted_at: string | null;
}
