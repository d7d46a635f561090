import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../../platform/config/settings';
import { nonOverlapping } from '../../../platform/jobs/non-overlapping';
import { OAuthFlowRepository } from './oauth-flow.repository';

/** Deletes authorization flows one day after they have ended or expired. */
@Injectable()
export class OAuthFlowCleanup implements BeforeApplicationShutdown {
  private readonly logger = new Logger(OAuthFlowCleanup.name);
  private readonly deleteOnce = nonOverlapping(
    () => this.flows.deleteExpired(),
    this.logger,
    'Deleting expired authorization flows failed',
  );

  constructor(
    private readonly flows: OAuthFlowRepository,
    private readonly settings: Settings,
  ) {}

  @Interval(600_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.deleteOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.deleteOnce.close();
  }
}
