import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics';

/** Counts the documents that are held as copies of an invoice (decisions 9). */
@Injectable()
export class HeldDuplicateMetrics {
  private readonly held;

  constructor(metrics: Metrics) {
    this.held = metrics.counter(
      'docfetch_held_duplicates_total',
      'Documents that this process recorded as copies of an invoice and that their environment holds.',
    );
  }

  record(documents: number): void {
    if (documents > 0) this.held.inc(documents);
  }
}
