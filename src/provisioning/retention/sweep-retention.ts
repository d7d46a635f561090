import { Injectable, Logger } from '@nestjs/common';
import { Recurring } from '../../platform/jobs/recurring-work';
import { DeliveryMetrics } from '../shared/delivery-metrics';
import { PurgeDocuments } from './purge-documents';

/** Removes content past its retention every five minutes. Any number of instances may do so at the same time. */
@Injectable()
export class SweepRetention {
  private readonly logger = new Logger(SweepRetention.name);
  constructor(
    private readonly purge: PurgeDocuments,
    private readonly metrics: DeliveryMetrics,
  ) {}

  /** Purges batch by batch until nothing is due or the process shuts down. Returns the number of documents. */
  @Recurring({ everyMs: 300_000, failure: 'Content past its retention could not be purged' })
  async sweep(signal?: AbortSignal): Promise<number> {
    let total = 0;
    for (let documents = 1; documents > 0 && !signal?.aborted;) {
      const purged = await this.purge.purgeBatch();
      this.metrics.recordPurge(purged);
      documents = purged.documents;
      total += documents;
    }
    if (total > 0) this.logger.log({ documents: total }, 'Contents were purged at the end of their retention');
    return total;
  }
}
