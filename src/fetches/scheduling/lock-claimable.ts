import type { RunPrepared } from '../../platform/database/prepared-transaction';
import type { FetchTrigger } from '../history/fetch.entity';
import { hasNoLease } from './claimed-fetch';
import type { DueColumn, DueShare } from './due-groups';

/** A connection that the transaction has locked in order to claim a fetch of it. */
export interface LockedConnection {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly fetch_interval_minutes: number;
  /** The scheduled fetch is due as well, so that this one serves both and the next date is set. */
  readonly reschedule: boolean;
  readonly trigger: FetchTrigger;
  /** Since when the fetch has been due; of one that exists already, when it was created. */
  readonly due_at: string;
  /** Null when the claim creates the fetch. */
  readonly fetch_uuid: string | null;
  /** When an earlier worker has started the fetch. */
  readonly started_at: string | null;
  /** That of what has queued the fetch or made it due. */
  readonly traceparent: string | null;
  /** How many workers have died while they ran the fetch, since its last new document, with the one from which it is taken over now. */
  readonly interruptions: number;
}

const EXISTING = `c.uuid, c.environment_uuid, e.fetch_interval_minutes, f.trigger, f.uuid as fetch_uuid, f.started_at,
  f.created_at as due_at, f.traceparent`;

/** Running fetches whose worker has not renewed its lease, the oldest first, without those that this worker holds. */
export function lockAbandoned(run: RunPrepared, held: readonly string[], limit: number): Promise<LockedConnection[]> {
  return run(
    `select ${EXISTING}, f.interruptions + 1 as interruptions, false as reschedule
     from fetch_unfinished f join connection c on c.uuid = f.connection_uuid join environment e on e.uuid = c.environment_uuid
     where f.status = 'RUNNING' and c.leased_until < now() and f.uuid <> all ((select $1::uuid[])::uuid[])
     order by f.created_at limit $2 for update of c skip locked`,
    [held, limit],
  );
}

/**
 * Queued fetches in the order in which they were queued, one of each connection: manual ones, and those that a worker has returned to
 * the queue. Another worker may have run one to its end between the snapshot of the first statement and its lock of the connection,
 * so the fetches are read again under the locks.
 */
export async function lockQueued(run: RunPrepared, now: Date, limit: number): Promise<LockedConnection[]> {
  const locked = await run<LockedConnection>(
    `select ${EXISTING}, f.interruptions, coalesce(c.next_fetch_at <= $1, false) as reschedule
     from fetch_unfinished f join connection c on c.uuid = f.connection_uuid join environment e on e.uuid = c.environment_uuid
     where f.status = 'QUEUED' and ${hasNoLease('c')} and not exists (
       select 1 from fetch_unfinished earlier
       where earlier.connection_uuid = f.connection_uuid and earlier.status = 'QUEUED' and earlier.uuid < f.uuid)
     order by f.created_at limit $2 for update of c skip locked`,
    [now, limit],
  );
  if (locked.length === 0) return [];
  const queued = await run<{ uuid: string }>(
    `select uuid from fetch_unfinished where uuid = any ((select $1::uuid[])::uuid[]) and status = 'QUEUED'`,
    [locked.map(({ fetch_uuid }) => fetch_uuid)],
  );
  const uuids = new Set(queued.map(({ uuid }) => uuid));
  return locked.filter(({ fetch_uuid }) => uuids.has(fetch_uuid!));
}

/** SQL: whether the next date is set, the trigger, and the span that has made the fetch due. */
const FETCH_OF: Readonly<Record<DueColumn, string>> = {
  immediate_fetch_at: `coalesce(due.next_fetch_at <= $1, true) as reschedule, due.immediate_fetch_trigger as trigger,
    due.immediate_fetch_traceparent as traceparent`,
  next_fetch_at: `true as reschedule, case when due.immediate_fetch_at <= $1 then due.immediate_fetch_trigger
    when due.failing_since is not null or exists (
      select 1 from fetch_failure d where d.connection_uuid = due.uuid and d.environment_uuid = due.environment_uuid and d.open) then 'RECOVERY' else 'SCHEDULED' end as trigger,
    case when due.immediate_fetch_at <= $1 then due.immediate_fetch_traceparent end as traceparent`,
};

/** Due connections by one of the two times, at most the share of each group, the oldest first. */
export function lockDue(
  run: RunPrepared,
  column: DueColumn,
  shares: readonly DueShare[],
  now: Date,
  limit: number,
): Promise<LockedConnection[]> {
  const ofColumn = shares.filter((share) => share.column === column);
  if (ofColumn.length === 0 || limit === 0) return Promise.resolve([]);
  return run(
    `select due.uuid, due.environment_uuid, e.fetch_interval_minutes, ${FETCH_OF[column]}, due.${column} as due_at, null as fetch_uuid, null as started_at,
       0 as interruptions
     from unnest((select $2::uuid[]), (select $3::integer[])) with ordinality as due_group (uuid, places, turn)
     join environment e using (uuid) cross join lateral (
       select uuid, environment_uuid, failing_since, next_fetch_at, immediate_fetch_at, immediate_fetch_trigger,
         immediate_fetch_traceparent from connection c
       where environment_uuid = e.uuid and ${column} <= $1 and ${hasNoLease('c')}
       order by ${column} limit due_group.places for update skip locked) due
     order by due_group.turn limit $4`,
    [now, ofColumn.map(({ environment }) => environment), ofColumn.map(({ places }) => places), limit],
  );
}
