import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { withGrace } from '../../platform/concurrency/cancellation';
import { Settings } from '../../platform/config/settings';
import { isUnavailable } from '../../platform/availability/storage-unavailable';
import { Jobs } from '../../platform/jobs/jobs';
import { type ClaimedFetch, FetchLeases } from './fetch-leases';
import { LeaseLost } from './commit-outcome';
import { FinishFetch } from './finish-fetch';
import { ExecuteFetch } from './execute-fetch';
import { withLeaseMonitor } from './supervision/lease-monitor';

/** How long started documents may take until their commit when the service shuts down. */
const SHUTDOWN_GRACE_MS = 3_000;

/** Handles the job `run-fetches` of a connection: executes its fetches one after the other. */
@Injectable()
export class FetchWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(FetchWorker.name);

  constructor(
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly leases: FetchLeases,
    private readonly executeFetch: ExecuteFetch,
    private readonly finishFetch: FinishFetch,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.runsWorker) return;
    this.jobs.work('run-fetches', this.settings.workerConcurrency, (connection, signal) =>
      this.processConnection(connection, signal),
    );
  }

  async processConnection(connectionUuid: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const claim = signal.aborted ? null : await this.leases.claim(connectionUuid);
      if (!claim || !(await this.executeOne(claim, signal))) return;
    }
  }

  /** False when another worker handles this connection now; claiming again would take it from that worker. */
  private async executeOne(claim: ClaimedFetch, signal: AbortSignal): Promise<boolean> {
    try {
      await withGrace(signal, SHUTDOWN_GRACE_MS, (cut) =>
        withLeaseMonitor(claim, this.leases, cut, this.logger, (wanted) =>
          this.executeFetch.execute(claim, wanted, signal),
        ),
      );
      await this.finishFetch.succeeded(claim);
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      if (signal.aborted) {
        await this.leases.release(claim);
        return false;
      }
      // Not a failure of the source: the job is retried and resumes where this fetch stopped.
      if (isUnavailable(error)) throw error;
      this.logger.warn(`Fetch ${claim.fetch.uuid} of connection ${claim.connection.uuid}: ${String(error)}`);
      await this.finishFetch.failed(claim, error);
    }
    return true;
  }
}
