import { Injectable } from '@nestjs/common';
import { Metrics } from '../../metrics/metrics';
import { MetricsCollector } from './metrics-collector';
import { readQueueCounts } from './queue-counts';

const EPOCH = '1970-01-01T00:00:00Z';

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
      const rows = await readQueueCounts(em);
      for (const { name: queue, queued_count, active_count, failed_count } of rows) {
        jobs.set({ queue, state: 'queued' }, queued_count);
        jobs.set({ queue, state: 'active' }, active_count);
        jobs.set({ queue, state: 'failed' }, failed_count);
      }
      countedAt.set(Math.max(0, ...rows.map((row) => Date.parse(row.counted_at ?? EPOCH) / 1000)));
    });
  }
}
