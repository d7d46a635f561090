import { Injectable } from '@nestjs/common';
import { DELAY_SECONDS, Metrics, QUICK_SECONDS } from '../../platform/metrics/metrics';

/** Counts what this process has sent to clients and purged. */
@Injectable()
export class DeliveryMetrics {
  private readonly pushes;
  private readonly pushSeconds;
  private readonly sinceDue;
  private readonly abandoned;
  private readonly webhooks;
  private readonly webhookSeconds;
  private readonly purgedDocuments;
  private readonly purgedBytes;

  constructor(metrics: Metrics) {
    this.pushes = metrics.counter(
      'docfetch_deliveries_total',
      'Attempts to push a document: "outcome" is DELIVERED or the code of the error. What clients pull is counted as requests.',
      ['strategy', 'outcome'],
    );
    this.pushSeconds = metrics.histogram(
      'docfetch_delivery_duration_seconds',
      'How long an attempt to push a document took.',
      ['strategy'],
      QUICK_SECONDS,
    );
    this.sinceDue = metrics.histogram(
      'docfetch_delivery_since_due_seconds',
      'Time from when a document became due until its endpoint accepted it, without bulk redelivery: by whether the first attempt succeeded, and whether the endpoint was "healthy" or "recovering" from failures.',
      ['attempt', 'endpoint'],
      DELAY_SECONDS,
    );
    this.abandoned = metrics.counter(
      'docfetch_deliveries_given_up_total',
      'Documents that are FAILED: their last attempt has failed.',
    );
    this.webhooks = metrics.counter(
      'docfetch_webhooks_sent_total',
      'Events sent to webhooks: "outcome" is DELIVERED or the code of the error.',
      ['outcome'],
    );
    this.webhookSeconds = metrics.histogram(
      'docfetch_webhook_duration_seconds',
      'How long the sending of an event took.',
      [],
      QUICK_SECONDS,
    );
    this.purgedDocuments = metrics.counter(
      'docfetch_documents_purged_total',
      'Documents whose content was removed at the end of its retention.',
    );
    this.purgedBytes = metrics.counter(
      'docfetch_documents_purged_bytes_total',
      'Bytes of the documents whose content was removed at the end of its retention.',
    );
  }

  recordPush(result: { readonly errorCode: string | null; readonly durationMs: number }): void {
    this.pushes.inc({ strategy: 'PUSH', outcome: result.errorCode ?? 'DELIVERED' });
    this.pushSeconds.observe({ strategy: 'PUSH' }, result.durationMs / 1000);
  }

  recordDelivered(delivery: {
    readonly isFirst: boolean;
    readonly hadFailed: boolean;
    readonly isCatchingUp: boolean;
    readonly secondsSinceDue: number | null;
  }): void {
    const { isFirst, hadFailed, isCatchingUp, secondsSinceDue } = delivery;
    if (secondsSinceDue === null) return;
    const endpoint = hadFailed || isCatchingUp ? 'recovering' : 'healthy';
    this.sinceDue.observe({ attempt: isFirst ? 'first' : 'later', endpoint }, Math.max(0, secondsSinceDue));
  }

  recordFinalFailure(): void {
    this.abandoned.inc();
  }

  recordPurge({ documents, bytes }: { documents: number; bytes: number }): void {
    this.purgedDocuments.inc(documents);
    this.purgedBytes.inc(bytes);
  }

  recordWebhook(result: { readonly errorCode: string | null; readonly durationMs: number }): void {
    this.webhooks.inc({ outcome: result.errorCode ?? 'DELIVERED' });
    this.webhookSeconds.observe(result.durationMs / 1000);
  }

  /** Events whose arrival is unknown because their process has died. */
  recordInterrupted(count: number): void {
    this.webhooks.inc({ outcome: 'INTERRUPTED' }, count);
  }
}
