import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { statusSql } from '../../identities/connection-status';
import { totalFiltered } from '../../integrations/core/filter-reason';
import { isDatabaseUnavailable } from '../../platform/availability/database-unavailable';
import { Clock } from '../../platform/clock/clock';
import { jsonb, prepared } from '../../platform/database/sql';
import { currentTraceparent } from '../../platform/request/work-scope';
import { firstDayOf, USAGE_SHARDS } from '../history/monthly-usage';
import { FetchReport } from '../history/fetch-report';
import type { HeldOutcome } from './held-outcome';
import type { LoadedFetch } from './reading/load-fetches';

/**
 * Ends fetches that have succeeded without failed documents, of healthy connections: their counts and cursors, the leases, the
 * connections' last fetches, the usage and the events for webhooks. A cursor counts only while the connection's start date is that of
 * the listing (see `CommitOutcome`). Rows are locked in the order of their uuids, and locked ones are left to the caller, so that one
 * connection that is being deleted does not delay the others. No column of `connection` that an index contains is changed, so that
 * its indexes are not written (HOT): the next claim moves `awaiting_success_since`. The sub-selects hide the array sizes from the
 * planner, which would otherwise plan every statement again.
 */
const SETTLE = `
  with given as (
    select * from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::uuid[]), (select $5::integer[]),
        (select $6::integer[]), (select $7::jsonb[]), (select $11::date[]), (select $12::jsonb[]), (select $13::text[]))
      as given (connection, token, fetch_uuid, event, duplicate, filtered, cursor, startdate, filtered_by, traceparent)
  ), healthy as (
    select c.uuid, c.environment_uuid, e.retention_class, c.counted_month is null or c.counted_month < $9::date as is_first,
      given.token, given.fetch_uuid, given.event, given.duplicate, given.filtered, given.filtered_by, given.traceparent,
      case when c.startdate is not distinct from given.startdate then given.cursor end as cursor
    from given join connection c on c.uuid = given.connection join environment e on e.uuid = c.environment_uuid
    where c.lease_token = given.token and ${statusSql('c')} = 'ACTIVE' and c.next_fetch_at is not null
      and c.failing_since is null and c.failure_reason is null and c.credentials_suspect_at is null
      and c.consecutive_failures = 0 and c.overdue_since is null
    order by c.uuid for update of c skip locked
  ), ended as (
    update "fetch" f set status = 'SUCCEEDED', finished_at = $8::timestamptz, retention_class = healthy.retention_class,
      seen = f.seen + healthy.duplicate + healthy.filtered, duplicate = f.duplicate + healthy.duplicate,
      filtered = f.filtered + healthy.filtered, 
      filtered_by = coalesce(add_counts(f.filtered_by, healthy.filtered_by), f.filtered_by, healthy.filtered_by)
    from healthy where f.uuid = healthy.fetch_uuid and f.retention_class = 'UNFINISHED' and f.failed = 0
    returning f.uuid, f.connection_uuid, f.seen, f.new, f.duplicate, f.filtered
  ), released as (
    update connection c set lease_token = null, leased_until = null, last_success_at = $8::timestamptz,
      counted_month = $9::date, cursor = coalesce(healthy.cursor, c.cursor),
      last_fetch = jsonb_build_object('uuid', ended.uuid, 'status', 'SUCCEEDED', 'finished_at', $10::text, 'documents_new', ended.new)
    from ended join healthy on healthy.fetch_uuid = ended.uuid where c.uuid = ended.connection_uuid
  ), counted as (
    insert into monthly_usage as u (environment_uuid, month, shard, connections, fetches, documents, bytes)
    select healthy.environment_uuid, $9::date, pg_backend_pid() % ${USAGE_SHARDS}, count(*) filter (where is_first), count(*), 0, 0
    from healthy join ended on ended.uuid = healthy.fetch_uuid group by healthy.environment_uuid order by healthy.environment_uuid
    on conflict (environment_uuid, month, shard) do update set connections = u.connections + excluded.connections,
      fetches = u.fetches + excluded.fetches
  ), recorded_events as (
    insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, traceparent)
    select healthy.event, healthy.environment_uuid, healthy.retention_class, healthy.uuid, 'fetch.finished',
      jsonb_build_object('fetch_uuid', ended.uuid, 'status', 'SUCCEEDED', 'error', null), $8::timestamptz, healthy.traceparent
    from healthy join ended on ended.uuid = healthy.fetch_uuid
  )
  select uuid, seen, new, duplicate, filtered from ended`;

/** How long a result waits at most for the fetches that run beside it, to be committed with theirs. Only its place waits. */
const BATCH_DELAY_MS = 5;
/** Another worker's claim that has read an earlier version of a row locks it for a moment; the second attempt comes after that. */
const ATTEMPTS = 2;

/** The counts of a settled fetch. */
interface SettledFetch {
  readonly uuid: string;
  readonly seen: number;
  readonly new: number;
  readonly duplicate: number;
  readonly filtered: number;
  readonly finishedAt: Date;
}

interface EndedFetch {
  readonly fetch: LoadedFetch;
  readonly held: HeldOutcome;
  readonly traceparent: string | null;
}

/**
 * Records the common case, a successful fetch of a healthy connection, for all fetches that end at about the same time in one
 * statement: one commit instead of one for each (`bench jobs`).
 */
@Injectable()
export class SettleFetches {
  private readonly loader = new DataLoader<EndedFetch, SettledFetch | null>((batch) => this.flush(batch), {
    cache: false,
    batchScheduleFn: (flush) => void this.writing.then(() => this.othersEnded()).then(flush),
  });
  /** Settles when the last statement has ended. */
  private writing: Promise<unknown> = Promise.resolve();
  private executing = 0;
  private lastEnded: () => void = () => undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly fetchReport: FetchReport,
  ) {}

  /** Tells that a result may follow: results wait a little for those of all executions that have begun. */
  async announce<T>(execution: Promise<T>): Promise<T> {
    this.executing += 1;
    try {
      return await execution;
    } finally {
      this.executing -= 1;
      if (this.executing === 0) this.lastEnded();
    }
  }

  /** False, and nothing is changed, when the fetch needs more than that or has lost its lease. */
  async settle(fetch: LoadedFetch, held: HeldOutcome): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const settled = await this.loader.load({ fetch, held, traceparent: currentTraceparent() });
      if (!settled) continue;
      this.report(fetch, settled); // not in the batch: its log line belongs to the scope of this fetch
      return true;
    }
    return false;
  }

  /** Resolves when the results of all announced executions are there, or have been waited for long enough. */
  private async othersEnded(): Promise<void> {
    if (this.executing > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, BATCH_DELAY_MS);
      this.lastEnded = resolve;
      await promise;
      clearTimeout(timer);
    }
    await nextTurn(); // an execution that has ended has not handed over its result yet
  }

  private flush(batch: readonly EndedFetch[]): Promise<(SettledFetch | null)[]> {
    const written = this.write(batch);
    this.writing = written.catch(() => undefined);
    return written;
  }

  private async write(batch: readonly EndedFetch[]): Promise<(SettledFetch | null)[]> {
    const now = this.clock.now();
    const claims = batch.map(({ fetch }) => fetch.claim);
    try {
      const rows = await prepared<Omit<SettledFetch, 'finishedAt'>>(this.em.fork(), SETTLE, [
        claims.map(({ connectionUuid }) => connectionUuid),
        claims.map(({ leaseToken }) => leaseToken),
        claims.map((claim) => claim.uuid),
        claims.map(() => uuid()),
        batch.map(({ held }) => held.duplicates),
        batch.map(({ held }) => totalFiltered(held.filteredBy)),
        batch.map(({ held }) => (held.cursor === undefined ? null : jsonb(held.cursor))),
        now,
        firstDayOf(now),
        now.toISOString(),
        batch.map(({ fetch }) => fetch.connection.startdate ?? null),
        batch.map(({ held }) => (totalFiltered(held.filteredBy) === 0 ? null : jsonb(held.filteredBy))),
        batch.map(({ traceparent }) => traceparent),
      ]);
      const settled = new Map(rows.map((row) => [row.uuid, { ...row, finishedAt: now }]));
      return claims.map((claim) => settled.get(claim.uuid) ?? null);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // One result may cause the error for all of them: each is recorded by itself.
      return batch.map(() => null);
    }
  }

  private report({ claim, connection }: LoadedFetch, settled: SettledFetch): void {
    const { trigger, startedAt, dueAt } = claim;
    const ended = { status: 'SUCCEEDED', trigger, startedAt, errorCode: null, failed: 0 } as const;
    this.fetchReport.ended(connection, { ...settled, ...ended }, dueAt);
  }
}
