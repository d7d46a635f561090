import type { Gauge } from 'prom-client';
import type { Metrics } from '../../metrics/metrics';

/** The maximum count, so that the cost of a query does not depend on the size of the backlog. */
export const MAX_COUNTED = 10_000;

/** A row with the number of waiting items and the age of the oldest. */
export interface BacklogRow {
  readonly n: number | string;
  /** Null when nothing is waiting. */
  readonly seconds: number | string | null;
}

/** Two gauges about due work that has not started: its number and the age of the oldest item. */
export class BacklogGauge<Label extends string = never> {
  private readonly count: Gauge<Label>;
  private readonly oldest: Gauge<Label>;

  constructor(metrics: Metrics, name: string, what: string, labels: readonly Label[] = []) {
    this.count = metrics.systemGauge(name, `${what}: number, counted up to ${MAX_COUNTED}.`, labels);
    this.oldest = metrics.systemGauge(`${name}_oldest_age_seconds`, `${what}: age of the oldest.`, labels);
  }

  set({ n, seconds }: BacklogRow, labels: Partial<Record<Label, string>> = {}): void {
    this.count.set(labels, Number(n));
    this.oldest.set(labels, Math.max(0, Number(seconds ?? 0)));
  }
}
