import type { Logger } from '@nestjs/common';
import { nonOverlapping } from '../../../platform/jobs/non-overlapping';
import { ConnectionStopped } from '../../../transactions/record/record-document';
import type { ClaimedFetch, FetchLeases } from '../fetch-leases';
import { LeaseLost } from '../commit-outcome';

/** How often the lease is checked, independently of the source. */
const POLL_MS = 2_000;

/**
 * Runs `work` with a signal that is aborted when the process shuts down or the lease is lost: the connection was deleted or
 * disabled, or another worker has taken over the fetch. The commit checks the lease itself; the monitor only ends useless work at
 * the provider early.
 * @throws ConnectionStopped, LeaseLost, or what `work` throws
 */
export async function withLeaseMonitor(
  claim: ClaimedFetch,
  leases: FetchLeases,
  shutdown: AbortSignal,
  logger: Logger,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const revoked = new AbortController();
  const poll = async () => {
    const state = await leases.check(claim);
    if (state === 'STOPPED') revoked.abort(new ConnectionStopped());
    if (state === 'LOST') revoked.abort(new LeaseLost());
  };
  const pollOnce = nonOverlapping(poll, logger, 'The lease of a fetch could not be checked');
  const timer = setInterval(() => void pollOnce(), POLL_MS);
  try {
    await work(AbortSignal.any([shutdown, revoked.signal]));
  } catch (error) {
    throw revoked.signal.aborted ? revoked.signal.reason : error;
  } finally {
    clearInterval(timer);
    await pollOnce.close();
  }
}
