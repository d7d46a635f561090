import { Injectable, Logger } from '@nestjs/common';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { Recurring } from '../../platform/jobs/recurring-work';

/** No fetch keeps content unrecorded for this long: older content was left behind by a crash. */
const ORPHAN_AFTER_SECONDS = 24 * 3600;
const BATCH = 500;

/** Deletes content that no transaction refers to. */
@Injectable()
export class ContentGarbageCollector {
  private readonly logger = new Logger(ContentGarbageCollector.name);

  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** Returns the number of deleted contents. */
  @Recurring({ everyMs: 600_000, failure: 'Orphaned content could not be removed' })
  async collect(): Promise<number> {
    const before = this.clock.in(-ORPHAN_AFTER_SECONDS);
    let total = 0;
    for (let swept = BATCH; swept === BATCH; total += swept) swept = await this.store.sweep(before, BATCH);
    if (total > 0) this.logger.log({ contents: total }, 'Contents that no record owns were removed');
    return total;
  }
}
