import type { Gauge } from 'prom-client';
import type { Metrics } from '../../metrics/metrics';

/** Counting ends here: a look must not cost what waits, however much that is. */
export const MAX_COUNTED = 10_000;

/** What SQL brings of something that waits: how much of it, and for how long the oldest has. */
export interface BacklogRow {
  readonly n: number | string;
  /** Null: nothing waits. */
  readonly seconds: number | string | null;
}

/** A pair of gauges about what is due and has not begun: how much of it there is, and since when the oldest has been. */
export class BacklogGauge<Label extends string = never> {
  private readonly count: Gauge<Label>;
  private readonly oldest: Gauge<Label>;

  constructor(metrics: Metrics, name: string, what: string, labels: readonly Label[] = []) {
    this.count = metrics.systemGauge(name, `${what}: how many; counted up to ${MAX_COUNTED}.`, labels);
    this.oldest = metrics.systemGauge(
      `${name}_oldest_age_seconds`,
      `${what}: for how long the oldest has been.`,
      labels,
    );
  }

  set({ n, seconds }: BacklogRow, labels: Partial<Record<Label, string>> = {}): void {
    this.count.set(labels, Number(n));
    this.oldest.set(labels, Math.max(0, Number(seconds ?? 0)));
  }
}
