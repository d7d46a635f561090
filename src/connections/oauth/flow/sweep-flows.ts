import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../../platform/config/settings';
import { nonOverlapping } from '../../../platform/jobs/non-overlapping';
import { FlowStore } from './flow-store';

/** Forgets authorisations that have ended, or were never finished, a day later. */
@Injectable()
export class SweepFlows implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SweepFlows.name);
  private readonly sweepOnce = nonOverlapping(() => this.flows.sweep(), this.logger, 'Old flows could not be swept');

  constructor(
    private readonly flows: FlowStore,
    private readonly settings: Settings,
  ) {}

  @Interval(600_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.sweepOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweepOnce.close();
  }
}
