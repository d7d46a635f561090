import type { Connection, Fetch } from '@docfetch/sdk';

/**
 * `PENDING`: no fetch has ended since the repair. `WORKS`: one has succeeded. `FAILED`: one has failed. `STOPPED`: none follows,
 * because the connection is not active.
 */
export type RecoveryResult = 'PENDING' | 'WORKS' | 'FAILED' | 'STOPPED';

/**
 * The latest fetch that started since the repair; one that was already running proves nothing. The service makes the fetch that
 * catches up due at the time of the repair, and a worker starts it when its own clock has reached that time: `started_at` is
 * never earlier, even if their clocks differ. `fetches`: newest first.
 */
export function findRecoveryFetch(fetches: readonly Fetch[], repairedAt: string): Fetch | null {
  const since = Date.parse(repairedAt);
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
