import { Injectable } from '@nestjs/common';
import { Metrics, QUICK_SECONDS } from '../../platform/metrics/metrics';
import type { MailOutcome } from './receive-mail';

/** What became of a mail or of one of its recipients. */
export type CountedOutcome =
  | MailOutcome
  | 'UNKNOWN_RECIPIENT'
  | 'RECIPIENT_DISABLED'
  | 'RATE_LIMITED'
  | 'TOO_LARGE'
  | 'INTERRUPTED'
  | 'UNAVAILABLE';

/** Counts received and refused mails. */
@Injectable()
export class MailMetrics {
  private readonly outcomes;
  private readonly seconds;
  private readonly bytes;

  constructor(metrics: Metrics) {
    this.outcomes = metrics.counter(
      'docfetch_inbox_mails_total',
      'Mails by outcome; those that are refused or deferred before their content count once for each recipient.',
      ['outcome'],
    );
    this.bytes = metrics.counter('docfetch_inbox_bytes_total', 'Bytes of accepted mails.');
    this.seconds = metrics.histogram(
      'docfetch_inbox_receive_seconds',
      'Time from the beginning of the content of a mail to the answer.',
      [],
      QUICK_SECONDS,
    );
  }

  count(outcome: CountedOutcome): void {
    this.outcomes.inc({ outcome: outcome.toLowerCase() });
  }

  received(outcome: CountedOutcome, bytes: number, seconds: number): void {
    this.count(outcome);
    this.seconds.observe(seconds);
    if (outcome === 'ACCEPTED') this.bytes.inc(bytes);
  }
}
