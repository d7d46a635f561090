import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../platform/availability/database-unavailable';
import { isUnavailable } from '../../platform/availability/storage-unavailable';
import { withGrace } from '../../platform/concurrency/cancellation';
import { ConnectionStopped } from '../../transactions/record/record-document';
import { LeaseLost } from './commit-outcome';
import { ExecuteFetch } from './execute-fetch';
import { FetchLimits } from './fetch-limits';
import { FinishFetch } from './finish-fetch';
import type { HeldOutcome } from './held-outcome';
import type { LoadedFetch } from './reading/load-fetches';
import { SettleFetches } from './settle-fetches';
import { type HeldLease, LeaseMonitor } from './supervision/lease-monitor';

/** How long started documents may take until their commit when the service shuts down. */
const SHUTDOWN_GRACE_MS = 3_000;
/** The pause before a fetch is queued again that could not use the database. */
const DATABASE_PAUSE_MS = 1_000;
/** A fetch during which more workers have died than this without a new document is ended: it may be the cause of their end. */
const MAX_INTERRUPTIONS = 5;

/** Runs one claimed fetch under its lease, from the source to the recorded result. */
@Injectable()
export class RunFetch {
  private readonly logger = new Logger(RunFetch.name);

  constructor(
    private readonly leaseMonitor: LeaseMonitor,
    private readonly limits: FetchLimits,
    private readonly executeFetch: ExecuteFetch,
    private readonly settleFetches: SettleFetches,
    private readonly finishFetch: FinishFetch,
  ) {}

  /** `stop` is aborted when the service shuts down. Rejects when the result could not be recorded: the lease expires then. */
  async run(fetch: LoadedFetch, stop: AbortSignal): Promise<void> {
    using lease = this.leaseMonitor.hold(fetch.claim);
    try {
      const held = await this.settleFetches.announce(this.execute(fetch, lease.signal, stop));
      if (!(await this.settleFetches.settle(fetch, held))) await this.finishFetch.succeeded(fetch, held);
    } catch (error) {
      await this.endWith(error, fetch, lease, stop);
    }
  }

  /** @throws ConnectionStopped, LeaseLost, or what ended the fetch */
  private async execute(fetch: LoadedFetch, revoked: AbortSignal, stop: AbortSignal): Promise<HeldOutcome> {
    if (fetch.connection.status !== 'ACTIVE') throw new ConnectionStopped();
    if (fetch.claim.interruptions > MAX_INTERRUPTIONS) {
      throw new Error(`${fetch.claim.interruptions} workers have died during this fetch without a new document.`);
    }
    try {
      return await withGrace(stop, SHUTDOWN_GRACE_MS, (cut) =>
        this.executeFetch.execute(fetch, AbortSignal.any([cut, revoked]), stop),
      );
    } catch (error) {
      throw revoked.aborted ? revoked.reason : error;
    }
  }

  private async endWith(error: unknown, fetch: LoadedFetch, lease: HeldLease, stop: AbortSignal): Promise<void> {
    if (error instanceof LeaseLost) return;
    const isInterrupted = isUnavailable(error);
    if (isInterrupted && !stop.aborted) {
      // Not a failure of the source: the fetch is queued again and resumes where it stopped. An immediate retry would fail again.
      this.logger.error(error, 'A fetch is interrupted');
      const ms = isDatabaseUnavailable(error) ? DATABASE_PAUSE_MS : this.limits.storagePauseMs;
      await pause(ms, undefined, { signal: stop }).catch(() => undefined);
    }
    if (isInterrupted || stop.aborted) return lease.release();
    this.logger.warn({ error: String(error) }, 'A fetch failed');
    await this.finishFetch.failed(fetch, error);
  }
}
