import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings';
import { nonOverlapping } from '../non-overlapping';
import { Metrics } from '../../metrics/metrics';

/** Reads something of the whole system and puts it into its gauges. */
export type MetricsObserver = (em: EntityManager) => Promise<void>;

/**
 * Values of the whole system, looked up by a timer: a scrape reads memory only, whatever there is and however the database
 * is. Each observer costs some looks into indexes that end at what waits, not at what exists.
 */
@Injectable()
export class MetricsCollector implements BeforeApplicationShutdown {
  private readonly logger = new Logger(MetricsCollector.name);
  private readonly lookOnce = nonOverlapping(() => this.look(), this.logger, 'The system could not be observed');
  private readonly observers: MetricsObserver[] = [];
  private readonly observedAt;
  private readonly pool;

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.observedAt = metrics.gauge(
      'docfetch_observed_timestamp_seconds',
      'When the values of the whole system were last looked up by this process: older than a minute, they are not to be trusted.',
    );
    this.pool = metrics.gauge(
      'docfetch_database_pool_connections',
      'Database connections of this process, by state; "waiting" are queries that wait for one.',
      ['state'],
    );
  }

  /** Call once, when the application starts. */
  add(observer: MetricsObserver): void {
    this.observers.push(observer);
  }

  @Interval(10_000)
  async tick(): Promise<void> {
    if (this.settings.showsMetrics) await this.lookOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.lookOnce.close();
  }

  /** One after the other, over one connection at a time; one that fails does not hide the others. */
  async look(): Promise<void> {
    const failures: unknown[] = [];
    for (const observe of this.observers) {
      await observe(this.em.fork()).catch((error: unknown) => void failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    this.observedAt.setToCurrentTime();
  }

  /** Of this process, at this moment. */
  async readPool(): Promise<void> {
    const pool = await this.em.getConnection().getNativeClient();
    this.pool.set({ state: 'idle' }, pool.idleCount);
    this.pool.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    this.pool.set({ state: 'waiting' }, pool.waitingCount);
  }
}
