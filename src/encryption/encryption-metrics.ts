import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { BacklogGauge } from '../platform/jobs/monitoring/backlog-gauge';
import { MetricsCollector } from '../platform/jobs/monitoring/metrics-collector';
import { Metrics } from '../platform/metrics/metrics';
import { KeyBacklog } from './key-backlog';

const REENCRYPTED = ['row', 'content'] as const;
/** `key`: a step of a replacement that has failed as a whole. */
const FAILING = [...REENCRYPTED, 'key'] as const;

/** Counts what this process has encrypted with new data keys and where it has failed, and shows replacements that are late. */
@Injectable()
export class EncryptionMetrics {
  private readonly reencrypted;
  private readonly failures;
  private readonly destroyed;
  private readonly overdue;

  constructor(
    private readonly backlog: KeyBacklog,
    metrics: Metrics,
    observations: MetricsCollector,
  ) {
    this.reencrypted = metrics.counter(
      'docfetch_reencrypted_total',
      'Rows and contents that were encrypted with a new data key.',
      ['kind'],
    );
    this.failures = metrics.counter(
      'docfetch_reencryption_failures_total',
      'Attempts to encrypt rows and contents with a new data key, and other steps of replacing one, that have failed.',
      ['kind'],
    );
    this.destroyed = metrics.counter('docfetch_data_keys_destroyed_total', 'Former data keys that were destroyed.');
    this.overdue = new BacklogGauge(
      metrics,
      'docfetch_data_keys_overdue',
      'Data keys whose replacement is late ("activation": new ones that should be in use; "destruction": former ones that should be destroyed)',
      ['step'],
    );
    // Both have series before anything happens, so that increases are seen from the first one on.
    for (const kind of REENCRYPTED) this.reencrypted.inc({ kind }, 0);
    for (const kind of FAILING) this.failures.inc({ kind }, 0);
    observations.add((em) => this.observe(em));
  }

  countRows(count: number): void {
    this.reencrypted.inc({ kind: 'row' }, count);
  }

  countContent(): void {
    this.reencrypted.inc({ kind: 'content' });
  }

  countFailure(kind: (typeof FAILING)[number]): void {
    this.failures.inc({ kind });
  }

  countDestroyed(): void {
    this.destroyed.inc();
  }

  private async observe(em: EntityManager): Promise<void> {
    this.overdue.set(await this.backlog.notActivated(em), { step: 'activation' });
    this.overdue.set(await this.backlog.notDestroyed(em), { step: 'destruction' });
  }
}
