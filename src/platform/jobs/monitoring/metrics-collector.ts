import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Recurring } from '../recurring-work';
import { Metrics } from '../../metrics/metrics';

/** Reads values of the whole system and sets their gauges. */
export type MetricsObserver = (em: EntityManager) => Promise<void>;

/**
 * Collects metrics of the whole system on a timer: a scrape only reads memory, regardless of the state of the database.
 * Each observer costs a few index scans whose size depends on the waiting work, not on all data.
 */
@Injectable()
export class MetricsCollector {
  private readonly observers: MetricsObserver[] = [];
  private readonly observedAt;
  private readonly pool;

  constructor(
    private readonly em: EntityManager,
    metrics: Metrics,
  ) {
    this.observedAt = metrics.gauge(
      'docfetch_observed_timestamp_seconds',
      'When this process last collected the values of the whole system; older than a minute, they are unreliable.',
    );
    this.pool = metrics.gauge(
      'docfetch_database_pool_connections',
      'Database connections of this process, by state; "waiting" are queries that wait for one.',
      ['state'],
    );
  }

  /** Call it once, when the application starts. */
  add(observer: MetricsObserver): void {
    this.observers.push(observer);
  }

  /** Runs the observers one after another, with one connection at a time; a failing one does not prevent the others. */
  @Recurring({
    everyMs: 10_000,
    failure: 'System metrics could not be collected',
    runsIn: (settings) => settings.showsMetrics,
  })
  async collect(): Promise<void> {
    const failures: unknown[] = [];
    for (const observe of this.observers) {
      await observe(this.em.fork()).catch((error: unknown) => void failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    this.observedAt.setToCurrentTime();
  }

  /** Reads the current state of this process's connection pool. */
  async readPool(): Promise<void> {
    const pool = await this.em.getConnection().getNativeClient();
    this.pool.set({ state: 'idle' }, pool.idleCount);
    this.pool.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    this.pool.set({ state: 'waiting' }, pool.waitingCount);
  }
}
