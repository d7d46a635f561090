import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock';
import { sql } from '../database/sql';
import { MetricsCollector } from '../jobs/monitoring/metrics-collector';
import { Metrics } from '../metrics/metrics';

/**
 * How far the clock of this process is ahead of that of the database. Signatures and schedules follow the former, leases the latter:
 * receivers reject signatures that are five minutes off (Standard Webhooks).
 */
@Injectable()
export class ClockDifference {
  private readonly seconds;

  constructor(
    private readonly clock: Clock,
    metrics: Metrics,
    observations: MetricsCollector,
  ) {
    this.seconds = metrics.gauge(
      'docfetch_clock_difference_seconds',
      'How far the clock of this process is ahead of that of the database; negative when it is behind.',
    );
    observations.add((em) => this.measure(em));
  }

  /** Compares with the middle of the request: the error is at most half of the time that it takes. */
  private async measure(em: EntityManager): Promise<void> {
    const before = this.clock.now().getTime();
    const [row] = await sql<{ ms: number }>(em, 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
    const after = this.clock.now().getTime();
    this.seconds.set(((before + after) / 2 - row!.ms) / 1000);
  }
}
