import type { TestEngine } from '../../harness/engine/test-engine';

/**
 * Ends the leases of a dead worker immediately instead of after their time. A fetch that is not the cause of the deaths must not end
 * because many of them happened to fall between two documents. The lock keeps workers that have been started from ending a fetch between
 * the snapshot of the update and the update.
 */
export async function endFetchLeases(engine: TestEngine): Promise<void> {
  await engine.rows(
    `do $$ begin
       perform from connection where lease_token is not null order by uuid for update;
       update fetch_unfinished set interruptions = 0 where status = 'RUNNING';
       update connection set leased_until = now() where lease_token is not null;
     end $$`,
  );
}

/** Releases the jobs of a dead worker immediately. */
export async function releaseJobs(engine: TestEngine): Promise<void> {
  await engine.rows(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`);
}
