import { Injectable } from '@nestjs/common';
import { Metrics, SLOW_SECONDS } from '../../platform/metrics/metrics';
import type { Fetch } from './fetch.entity';

const OUTCOMES = ['new', 'duplicate', 'filtered', 'failed'] as const;

/** Counts what this process has fetched. */
@Injectable()
export class FetchMetrics {
  private readonly fetches;
  private readonly seconds;
  private readonly documents;
  private readonly stalls;

  constructor(metrics: Metrics) {
    this.fetches = metrics.counter(
      'docfetch_fetches_total',
      'Fetches that have ended here; "reason" is that of a failure, else empty.',
      ['integration', 'trigger', 'outcome', 'reason'],
    );
    this.seconds = metrics.histogram(
      'docfetch_fetch_duration_seconds',
      'From the beginning of a fetch to its end, pauses between two workers included.',
      ['integration'],
      SLOW_SECONDS,
    );
    this.documents = metrics.counter(
      'docfetch_fetched_documents_total',
      'Documents that sources have shown to the fetches that have ended here, by what became of them.',
      ['integration', 'outcome'],
    );
    this.stalls = metrics.counter(
      'docfetch_fetch_stalls_total',
      'What was given up here because nothing moved any more: a whole fetch, or the reading of one document.',
      ['integration', 'what'],
    );
  }

  recordFinished(integration: string, fetch: Fetch): void {
    const { trigger, startedAt, finishedAt } = fetch;
    this.fetches.inc({ integration, trigger, outcome: fetch.status, reason: fetch.errorCode ?? '' });
    if (startedAt && finishedAt) {
      this.seconds.observe({ integration }, Math.max(0, finishedAt.getTime() - startedAt.getTime()) / 1000);
    }
    for (const outcome of OUTCOMES) {
      if (fetch[outcome] > 0) this.documents.inc({ integration, outcome }, fetch[outcome]);
    }
  }

  recordStall(integration: string, what: 'fetch' | 'document'): void {
    this.stalls.inc({ integration, what });
  }
}
