import { Injectable } from '@nestjs/common';
import { DELAY_SECONDS, Metrics, SLOW_SECONDS } from '../../platform/metrics/metrics';
import type { Fetch } from './fetch.entity';

/** What is counted of an ended fetch. */
export type EndedFetch = Pick<
  Fetch,
  'trigger' | 'status' | 'startedAt' | 'finishedAt' | 'errorCode' | (typeof OUTCOMES)[number]
>;

const OUTCOMES = ['new', 'duplicate', 'filtered', 'failed'] as const;

/** Metrics of the fetches of this process. */
@Injectable()
export class FetchMetrics {
  private readonly fetches;
  private readonly seconds;
  private readonly sinceDue;
  private readonly documents;
  private readonly stalls;

  constructor(metrics: Metrics) {
    this.fetches = metrics.counter(
      'docfetch_fetches_total',
      'Fetches that ended in this process; "reason" is that of a failure, else empty.',
      ['integration', 'trigger', 'outcome', 'reason'],
    );
    this.seconds = metrics.histogram(
      'docfetch_fetch_duration_seconds',
      'Duration of a fetch, including the time between two workers.',
      ['integration'],
      SLOW_SECONDS,
    );
    this.sinceDue = metrics.histogram(
      'docfetch_fetch_since_due_seconds',
      'Time from when a fetch became due until it ended; of one that a worker returned to the queue, from when it was created.',
      ['trigger', 'outcome'],
      DELAY_SECONDS,
    );
    this.documents = metrics.counter(
      'docfetch_fetched_documents_total',
      'Documents listed by the fetches that ended in this process, by outcome.',
      ['integration', 'outcome'],
    );
    this.stalls = metrics.counter(
      'docfetch_fetch_stalls_total',
      'Aborts in this process because of a stall, of a whole fetch or of the download of one document.',
      ['integration', 'what'],
    );
  }

  recordFinished(integration: string, fetch: EndedFetch, dueAt: Date): void {
    const { trigger, startedAt, finishedAt } = fetch;
    this.fetches.inc({ integration, trigger, outcome: fetch.status, reason: fetch.errorCode ?? '' });
    if (startedAt && finishedAt) {
      this.seconds.observe({ integration }, Math.max(0, finishedAt.getTime() - startedAt.getTime()) / 1000);
    }
    if (finishedAt) {
      const seconds = Math.max(0, finishedAt.getTime() - dueAt.getTime()) / 1000;
      this.sinceDue.observe({ trigger, outcome: fetch.status }, seconds);
    }
    for (const outcome of OUTCOMES) {
      if (fetch[outcome] > 0) this.documents.inc({ integration, outcome }, fetch[outcome]);
    }
  }

  recordStall(integration: string, what: 'fetch' | 'document'): void {
    this.stalls.inc({ integration, what });
  }
}
