import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v4 as randomUuid, v7 as uuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { preparedTransaction, type RunPrepared } from '../../platform/database/prepared-transaction';
import { dateOrNull, prepared } from '../../platform/database/sql';
import { type ClaimedFetch, hasNoLease, LEASE_SECONDS } from './claimed-fetch';
import { type DueColumn, DueGroups } from './due-groups';
import { lockAbandoned, lockDue, type LockedConnection, lockQueued } from './lock-claimable';
import { nextFetchTimeOf } from './set-next-fetch-times';

/** How often a worker looks for fetches of dead workers. */
const ABANDONED_CHECK_MS = 1_000;

/**
 * SQL: any connection is due by this time. The order leads the planner to the index: without it, a plan for any parameter reads the
 * table from its beginning, because it expects a due connection there, and all of it when none is due.
 */
const isAnyDue = (column: DueColumn): string => `exists (select 1 from (
      select 1 from connection c where ${column} <= $1 and ${hasNoLease('c')} order by ${column} limit 1) first)`;

const CLAIMABLE = `
  select exists (select 1 from fetch_unfinished f join connection c on c.uuid = f.connection_uuid and c.environment_uuid = f.environment_uuid
      where f.status = 'QUEUED' and ${hasNoLease('c')}) as queued,
    ${isAnyDue('immediate_fetch_at')} or ${isAnyDue('next_fetch_at')} as due`;

/** A claim with what is written for it. */
interface NewClaim extends ClaimedFetch {
  readonly locked: LockedConnection;
}

/**
 * Claims fetches for the free places of this worker: those of dead workers, then queued ones, then due connections, fairly between
 * clients. A claim is one transaction for all of them: it grants the leases, sets the next dates and records the fetches as `RUNNING`,
 * so that they are visible from then on and survive a crash. Rows that another worker is claiming are skipped.
 */
@Injectable()
export class ClaimFetches {
  private readonly groups = new DueGroups();
  private nextAbandonedCheck = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * At most `places` fetches, each of another connection. `held` are the uuids of the fetches that the worker runs: when the process
   * or the database was paused for longer than a lease, it renews their leases instead of running them twice. Costs one statement
   * when there is nothing to do.
   */
  async claim(places: number, held: readonly string[] = []): Promise<ClaimedFetch[]> {
    const now = this.clock.now();
    const isCheckDue = performance.now() >= this.nextAbandonedCheck;
    if (isCheckDue) this.nextAbandonedCheck = performance.now() + ABANDONED_CHECK_MS;
    const [claimable] = await prepared<{ queued: boolean; due: boolean }>(this.em.fork(), CLAIMABLE, [now]);
    const { queued, due } = claimable!;
    if (!queued && !due && !isCheckDue) return [];
    return preparedTransaction(this.em, async (run) => {
      const locked: LockedConnection[] = [];
      const free = () => places - locked.length;
      if (isCheckDue) locked.push(...(await lockAbandoned(run, held, free())));
      if (queued && free() > 0) locked.push(...(await lockQueued(run, now, free())));
      if (due && free() > 0) locked.push(...(await this.lockDue(run, now, free())));
      return this.start(run, onePerConnection(locked), now);
    });
  }

  private async lockDue(run: RunPrepared, now: Date, places: number): Promise<LockedConnection[]> {
    const { shares, isListedBefore } = await this.groups.next(run, now, places);
    const immediate = await lockDue(run, 'immediate_fetch_at', shares, now, places);
    const scheduled = await lockDue(run, 'next_fetch_at', shares, now, places - immediate.length);
    const locked = [...immediate, ...scheduled];
    if (locked.length < places) this.groups.outdated();
    // The listed groups have been emptied, and others may be due: with the groups of now, which are not listed before.
    return locked.length === 0 && isListedBefore ? this.lockDue(run, now, places) : locked;
  }

  private async start(run: RunPrepared, locked: readonly LockedConnection[], now: Date): Promise<ClaimedFetch[]> {
    if (locked.length === 0) return [];
    const claims = locked.map((connection): NewClaim => ({
      locked: connection,
      uuid: connection.fetch_uuid ?? uuid(),
      connectionUuid: connection.uuid,
      environmentUuid: connection.environment_uuid,
      trigger: connection.trigger,
      startedAt: dateOrNull(connection.started_at) ?? now,
      dueAt: new Date(connection.due_at),
      leaseToken: randomUuid(),
      traceparent: connection.traceparent,
      resumed: connection.started_at !== null,
      interruptions: connection.interruptions,
    }));
    await grantLeases(run, claims, now);
    await recordRunning(run, claims, now);
    return claims;
  }
}

/** A connection that is due for several reasons is locked by several statements, and gets the fetch of the first. */
function onePerConnection(locked: readonly LockedConnection[]): LockedConnection[] {
  const first = new Map<string, LockedConnection>();
  for (const connection of locked) if (!first.has(connection.uuid)) first.set(connection.uuid, connection);
  return [...first.values()];
}

/**
 * An overdue fetch runs once, not once per missed interval: the next date is calculated from now. The date changes indexes anyway, so
 * the time of the last success is taken over into another one here, which saves that to the end of the fetch (`SettleFetches`). The
 * sub-selects hide the array sizes from the planner, which would otherwise plan the statement again for every claim.
 */
async function grantLeases(run: RunPrepared, claims: readonly NewClaim[], now: Date): Promise<void> {
  await run(
    `update connection c set lease_token = given.token, leased_until = now() + interval '${LEASE_SECONDS} seconds',
       next_fetch_at = coalesce(given.next, c.next_fetch_at),
       immediate_fetch_at = case when given.fulfilled then null else c.immediate_fetch_at end,
       immediate_fetch_trigger = case when given.fulfilled then null else c.immediate_fetch_trigger end,
       immediate_fetch_traceparent = case when given.fulfilled then null else c.immediate_fetch_traceparent end,
       awaiting_success_since = case when c.awaiting_success_since is not null
         then greatest(c.awaiting_success_since, c.last_success_at) end,
       last_fetch = jsonb_build_object('uuid', given.fetch_uuid, 'status', 'RUNNING', 'finished_at', null, 'documents_new',
         coalesce((select new from fetch_unfinished where uuid = given.fetch_uuid), 0))
     from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::timestamptz[]), (select $5::boolean[]))
       as given (connection, token, fetch_uuid, next, fulfilled)
     where c.uuid = given.connection`,
    [
      claims.map(({ connectionUuid }) => connectionUuid),
      claims.map(({ leaseToken }) => leaseToken),
      claims.map((claim) => claim.uuid),
      claims.map(({ locked }) => (locked.reschedule ? nextFetchTimeOf(locked, now) : null)),
      claims.map(({ locked }) => locked.fetch_uuid === null),
    ],
  );
}

async function recordRunning(run: RunPrepared, claims: readonly NewClaim[], now: Date): Promise<void> {
  const queued = claims.filter(({ locked }) => locked.fetch_uuid !== null);
  if (queued.length > 0) {
    await run(
      `update fetch_unfinished f set status = 'RUNNING', started_at = coalesce(f.started_at, $3), interruptions = given.interruptions
       from unnest((select $1::uuid[]), (select $2::smallint[])) as given (uuid, interruptions) where f.uuid = given.uuid`,
      [queued.map((claim) => claim.uuid), queued.map(({ interruptions }) => interruptions), now],
    );
  }
  const created = claims.filter(({ locked }) => locked.fetch_uuid === null);
  if (created.length === 0) return;
  await run(
    `insert into "fetch" (uuid, connection_uuid, environment_uuid, trigger, status, seen, new, duplicate, filtered, failed,
       created_at, started_at, traceparent)
     select uuid, connection, environment, trigger, 'RUNNING', 0, 0, 0, 0, 0, $5, $5, traceparent
     from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::text[]), (select $6::text[]))
       as given (uuid, connection, environment, trigger, traceparent)`,
    [
      created.map((claim) => claim.uuid),
      created.map(({ connectionUuid }) => connectionUuid),
      created.map(({ environmentUuid }) => environmentUuid),
      created.map(({ trigger }) => trigger),
      now,
      created.map(({ traceparent }) => traceparent),
    ],
  );
}
