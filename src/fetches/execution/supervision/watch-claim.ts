import type { Logger } from '@nestjs/common';
import { nonOverlapping } from '../../../platform/jobs/one-at-a-time';
import { ConnectionStopped } from '../../../transactions/record/record-document';
import type { Claim, ClaimFetch } from '../claim-fetch';
import { LeaseLost } from '../commit-outcome';

/** How soon a fetch hears that nobody wants it any more, whatever its source is doing. */
const LOOK_MS = 2_000;

/**
 * Does the work of a fetch under a signal that is aborted when the process shuts down, or when the claim no longer
 * stands: the connection has been deleted or disabled, or another worker has taken the fetch over. What is recorded is
 * decided by the commit alone; this only ends what would go on at the provider for nothing.
 * @throws ConnectionStopped, LeaseLost, or whatever the work throws
 */
export async function whileItStands(
  claim: Claim,
  claims: ClaimFetch,
  shutdown: AbortSignal,
  logger: Logger,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const look = async () => {
    const standing = await claims.standing(claim);
    if (standing === 'STOPPED') stop.abort(new ConnectionStopped());
    if (standing === 'LOST') stop.abort(new LeaseLost());
  };
  const lookOnce = nonOverlapping(look, logger, 'Whether a fetch is still wanted could not be read');
  const timer = setInterval(() => void lookOnce(), LOOK_MS);
  try {
    await work(AbortSignal.any([shutdown, stop.signal]));
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearInterval(timer);
    await lookOnce.close();
  }
}
