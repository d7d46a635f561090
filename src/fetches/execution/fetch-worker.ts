import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import { isUnavailable } from '../../platform/availability/storage-unavailable';
import { Jobs } from '../../platform/jobs/jobs';
import { type ClaimedFetch, FetchLeases } from './fetch-leases';
import { LeaseLost } from './commit-outcome';
import { FinishFetch } from './finish-fetch';
import { ExecuteFetch } from './execute-fetch';
import { withLeaseMonitor } from './supervision/lease-monitor';

/** When the service shuts down: so long may documents that have been begun take to their commit. */
const GRACE_MS = 3_000;

/** The job "run the fetches of connection X": one after the other, until none is left. */
@Injectable()
export class FetchWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(FetchWorker.name);

  constructor(
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly claim: FetchLeases,
    private readonly runFetch: ExecuteFetch,
    private readonly finish: FinishFetch,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.runsWorker) return;
    this.jobs.work('run-fetches', this.settings.workerConcurrency, (connection, signal) =>
      this.processConnection(connection, signal),
    );
  }

  async processConnection(connectionUuid: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const claim = signal.aborted ? null : await this.claim.claim(connectionUuid);
      if (!claim || !(await this.one(claim, signal))) return;
    }
  }

  /** False: another worker looks after this connection now. To claim again would take it away from that one. */
  private async one(claim: ClaimedFetch, signal: AbortSignal): Promise<boolean> {
    try {
      await withGrace(signal, (cut) =>
        withLeaseMonitor(claim, this.claim, cut, this.logger, (wanted) => this.runFetch.execute(claim, wanted, signal)),
      );
      await this.finish.succeeded(claim);
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      if (signal.aborted) {
        await this.claim.release(claim);
        return false;
      }
      // Nobody's failure: the job is tried again, and goes on where this one was stopped.
      if (isUnavailable(error)) throw error;
      this.logger.warn(`Fetch ${claim.fetch.uuid} of connection ${claim.connection.uuid}: ${String(error)}`);
      await this.finish.failed(claim, error);
    }
    return true;
  }
}

/** Does the work under a signal that follows the given one after the grace. */
async function withGrace(signal: AbortSignal, work: (cut: AbortSignal) => Promise<void>): Promise<void> {
  const cut = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const cutSoon = () => (grace = setTimeout(() => cut.abort(signal.reason), GRACE_MS));
  signal.addEventListener('abort', cutSoon, { once: true });
  if (signal.aborted) cutSoon();
  try {
    await work(cut.signal);
  } finally {
    signal.removeEventListener('abort', cutSoon);
    clearTimeout(grace);
  }
}
