import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics/metrics';

/** Counts what this process has encrypted with new data keys. */
@Injectable()
export class EncryptionMetrics {
  private readonly reencrypted;
  private readonly destroyed;

  constructor(metrics: Metrics) {
    this.reencrypted = metrics.counter(
      'docfetch_reencrypted_total',
      'Rows and contents that were encrypted with a new data key.',
      ['kind'],
    );
    this.destroyed = metrics.counter('docfetch_data_keys_destroyed_total', 'Former data keys that were destroyed.');
  }

  countRows(count: number): void {
    this.reencrypted.inc({ kind: 'row' }, count);
  }

  countContent(): void {
    this.reencrypted.inc({ kind: 'content' });
  }

  countDestroyed(): void {
    this.destroyed.inc();
  }
}
