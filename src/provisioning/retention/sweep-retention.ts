import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../platform/config/settings';
import { nonOverlapping } from '../../platform/jobs/non-overlapping';
import { DeliveryMetrics } from '../shared/delivery-metrics';
import { PurgeDocuments } from './purge-documents';

/** Removes content past its retention every five minutes. Any number of instances may do so at the same time. */
@Injectable()
export class SweepRetention implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SweepRetention.name);
  private readonly sweepOnce = nonOverlapping(
    () => this.sweep(),
    this.logger,
    'Content past its retention could not be purged',
  );
  private closing = false;

  constructor(
    private readonly purge: PurgeDocuments,
    private readonly metrics: DeliveryMetrics,
    private readonly settings: Settings,
  ) {}

  @Interval(300_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.sweepOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    return this.sweepOnce.close();
  }

  /** Purges batch by batch until nothing is due. Returns the number of documents. */
  async sweep(): Promise<number> {
    let total = 0;
    for (let documents = 1; documents > 0 && !this.closing;) {
      const purged = await this.purge.purgeBatch();
      this.metrics.recordPurge(purged);
      documents = purged.documents;
      total += documents;
    }
    if (total > 0) this.logger.log(`Purged the content of ${total} documents at the end of their retention`);
    return total;
  }
}
