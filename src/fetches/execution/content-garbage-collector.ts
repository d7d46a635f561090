import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';

/** No fetch holds on to content for so long without recording it: what is older was left behind by a crash. */
const ORPHAN_AFTER_SECONDS = 24 * 3600;
const BATCH = 500;

/** Removes content that never got a record. */
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
      const swept = await this.collect();
      if (swept > 0) this.logger.log(`Swept ${swept} contents that no record owns`);
    } catch (error) {
      this.logger.error(error, 'Orphaned content could not be swept');
    }
  }

  /** Answers how many it removed. */
  async collect(): Promise<number> {
    const before = this.clock.in(-ORPHAN_AFTER_SECONDS);
    for (let total = 0; ;) {
      const swept = await this.store.sweep(before, BATCH);
      total += swept;
      if (swept < BATCH) return total;
    }
  }
}
