import type { FetchTrigger } from '../history/fetch.entity';

/** A worker that has not renewed a lease for this long counts as dead, and another one takes over its fetch. */
export const LEASE_SECONDS = 15;

/** A fetch that this worker runs while its lease token is in the connection's row. */
export interface ClaimedFetch {
  readonly uuid: string;
  readonly connectionUuid: string;
  readonly environmentUuid: string;
  readonly trigger: FetchTrigger;
  readonly startedAt: Date;
  /** Since when it has been due; of a fetch that an earlier worker has started, when it was created. */
  readonly dueAt: Date;
  readonly leaseToken: string;
  /** The span that has caused it, if that was traced. */
  readonly traceparent: string | null;
  /** An earlier worker has started it, and has died or shut down. */
  readonly resumed: boolean;
  /** How many workers have died while they ran it, since its last new document. */
  readonly interruptions: number;
}

/**
 * SQL: no fetch of the connection, by its alias, is running. An expired lease whose fetch no longer exists counts for nothing; one
 * whose fetch exists is taken over with it.
 */
export const hasNoLease = (alias: string): string =>
  `(${alias}.lease_token is null or ${alias}.leased_until < now() and not exists (
    select 1 from fetch_unfinished running where running.connection_uuid = ${alias}.uuid and running.environment_uuid = ${alias}.environment_uuid
      and running.status = 'RUNNING'))`;
