import { Injectable } from '@nestjs/common';
import { Recurring } from '../../../platform/jobs/recurring-work';
import { ConnectionStopped } from '../../../transactions/record/record-document';
import type { ClaimedFetch } from '../../scheduling/claimed-fetch';
import { LeaseLost } from '../commit-outcome';
import { FetchLeases } from '../fetch-leases';

/** A lease that is renewed until it is disposed. */
export interface HeldLease extends Disposable {
  /** Aborted with `ConnectionStopped` or `LeaseLost` when the fetch should end. */
  readonly signal: AbortSignal;
  /** Queues the fetch again for another worker, because this one cannot continue. */
  release(): Promise<void>;
}

/**
 * Renews the leases of all fetches of this worker in one statement, independently of their sources, and ends those whose connection
 * was deleted or disabled, or that another worker has taken over. The commit checks the lease itself; the monitor only ends useless
 * work at the provider early.
 */
@Injectable()
export class LeaseMonitor {
  private readonly held = new Map<ClaimedFetch, AbortController>();

  constructor(private readonly leases: FetchLeases) {}

  hold(claim: ClaimedFetch): HeldLease {
    const revoked = new AbortController();
    this.held.set(claim, revoked);
    return {
      signal: revoked.signal,
      release: () => this.leases.release(claim),
      [Symbol.dispose]: () => void this.held.delete(claim),
    };
  }

  @Recurring({ everyMs: 2_000, failure: 'The leases of fetches could not be renewed' })
  async renew(): Promise<void> {
    const held = [...this.held];
    const states = await this.leases.renew(held.map(([claim]) => claim));
    for (const [claim, revoked] of held) {
      const state = states.get(claim.leaseToken);
      if (state === 'STOPPED') revoked.abort(new ConnectionStopped());
      if (state === 'LOST') revoked.abort(new LeaseLost());
    }
  }
}
