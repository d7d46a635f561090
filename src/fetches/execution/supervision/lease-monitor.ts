import type { Logger } from '@nestjs/common';
import { nonOverlapping } from '../../../platform/jobs/non-overlapping';
import { ConnectionStopped } from '../../../transactions/record/record-document';
import type { ClaimedFetch, FetchLeases } from '../fetch-leases';
import { LeaseLost } from '../commit-outcome';

/** How soon a fetch hears that nobody wants it any more, whatever its source is doing. */
const POLL_MS = 2_000;

/**
 * Does the work of a fetch under a signal that is aborted when the process shuts down, or when the claim no longer
 * stands: the connection has been deleted or disabled, or another worker has taken the fetch over. What is recorded is
 * decided by the commit alone; this only ends what would go on at the provider for nothing.
 * @throws ConnectionStopped, LeaseLost, or whatever the work throws
 */
export async function withLeaseMonitor(
  claim: ClaimedFetch,
  claims: FetchLeases,
  shutdown: AbortSignal,
  logger: Logger,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const poll = async () => {
    const standing = await claims.check(claim);
    if (standing === 'STOPPED') stop.abort(new ConnectionStopped());
    if (standing === 'LOST') stop.abort(new LeaseLost());
  };
  const pollOnce = nonOverlapping(poll, logger, 'Whether a fetch is still wanted could not be read');
  const timer = setInterval(() => void pollOnce(), POLL_MS);
  try {
    await work(AbortSignal.any([shutdown, stop.signal]));
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearInterval(timer);
    await pollOnce.close();
  }
}
