import type { Connection, Fetch } from '@docfetch/sdk';

/** Milliseconds by which the clocks of the processes that record the repair and start the fetch may differ. */
const CLOCK_TOLERANCE_MS = 1_000;

/**
 * `PENDING`: no fetch has ended since the repair. `WORKS`: one has succeeded. `FAILED`: one has failed. `STOPPED`: none follows,
 * because the connection is not active.
 */
export type RecoveryResult = 'PENDING' | 'WORKS' | 'FAILED' | 'STOPPED';

/** The latest fetch that started after the repair; a fetch that was already running proves nothing. `fetches`: newest first. */
export function findRecoveryFetch(fetches: readonly Fetch[], repairedAt: string): Fetch | null {
  const since = Date.parse(repairedAt) - CLOCK_TOLERANCE_MS;
  return fetches.find(({ started_at: started }) => started !== null && Date.parse(started) >= since) ?? null;
}

export function recoveryResult({
  fetch,
  connection,
}: {
  readonly fetch: Fetch | null;
  readonly connection: Pick<Connection, 'status'>;
}): RecoveryResult {
  if (fetch?.finished_at) {
    // A fetch that ended early is `PARTIAL` too, if it had found documents before.
    const succeeded = (fetch.status === 'SUCCEEDED' || fetch.status === 'PARTIAL') && fetch.error === null;
    if (succeeded) return 'WORKS';
    return fetch.status === 'CANCELLED' && connection.status !== 'ACTIVE' ? 'STOPPED' : 'FAILED';
  }
  return connection.status === 'ACTIVE' ? 'PENDING' : 'STOPPED';
}
