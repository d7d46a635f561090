import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isServed } from '../../identities/environments/is-served';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { MAX_COUNTED, type BacklogRow } from '../../platform/jobs/monitoring/backlog-gauge';

/** Counts due and running fetches of all environments, at a cost of what is due. */
@Injectable()
export class FetchBacklog {
  constructor(private readonly clock: Clock) {}

  /** Fetches that have started and not ended; `orphans` are those whose worker has not renewed its lease. */
  async running(em: EntityManager): Promise<BacklogRow & { readonly orphans: number }> {
    const [row] = await sql<BacklogRow & { orphans: number }>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds,
         (count(*) filter (where exists (
           select 1 from connection c where c.uuid = f.connection_uuid and c.leased_until < now())))::int as orphans
       from (select connection_uuid, created_at from fetch_unfinished where status = 'RUNNING'
             order by created_at limit ${MAX_COUNTED}) f`,
      [this.clock.now()],
    );
    return row!;
  }

  async dueConnections(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(due)) as seconds
       from ((select next_fetch_at as due from connection where next_fetch_at <= $1 and lease_token is null order by next_fetch_at limit ${MAX_COUNTED})
             union all
             (select immediate_fetch_at from connection where immediate_fetch_at <= $1 and lease_token is null order by immediate_fetch_at limit ${MAX_COUNTED})) c`,
      [this.clock.now()],
    );
    return row!;
  }

  /** A fetch that waits for another one of its connection is not overdue. */
  async queued(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds
       from (select created_at from fetch_unfinished q where status = 'QUEUED' and ${isServed('q.environment_uuid')}
               and connection_uuid not in (select connection_uuid from fetch_unfinished where status = 'RUNNING')
             order by created_at limit ${MAX_COUNTED}) f`,
      [this.clock.now()],
    );
    return row!;
  }
}
