import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';

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
    private readonly settings: Settings,
  ) {}

  @Interval(600_000)
  async tick(): Promise<void> {
    if (!this.settings.runsWorker) return;
    try {
      const removed = await this.collect();
      if (removed > 0) this.logger.log(`Deleted ${removed} orphaned contents`);
    } catch (error) {
      this.logger.error(error, 'Orphaned content could not be deleted');
    }
  }

  /** Returns the number of deleted contents. */
  async collect(): Promise<number> {
    const before = this.clock.in(-ORPHAN_AFTER_SECONDS);
    for (let total = 0; ;) {
      const removed = await this.store.sweep(before, BATCH);
      total += removed;
      if (removed < BATCH) return total;
    }
  }
}
