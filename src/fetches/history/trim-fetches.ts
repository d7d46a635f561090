import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { uuidAt } from '../../platform/history/history-partitions';
import { RETENTION_DAYS, type RetentionClass } from '../../platform/history/retention-class';
import { Recurring } from '../../platform/jobs/recurring-work';

/** Connections per statement, and fetches of each per pass. */
const CONNECTIONS = 500;
const FETCHES = 100;
const DAY_MS = 86_400_000;

/** SQL: the uuids from which on fetches of a connection are kept, by the class of its environment ($2, $3, $4). */
const KEPT_FROM = `case e.retention_class when 'SHORT' then $2::uuid when 'STANDARD' then $3::uuid else $4::uuid end`;

/**
 * Deletes fetches that are older than the retention class of their environment (decisions 4), connection by connection, so that only
 * expired rows are read. Unfinished fetches stay, and those with documents that a later fetch has to try again.
 */
@Injectable()
export class TrimFetches {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  @Recurring({ everyMs: 6 * 3_600_000, failure: 'Expired fetches could not be deleted' })
  async trim(signal?: AbortSignal): Promise<void> {
    for (let after: string | null = NIL; after !== null && !signal?.aborted;) after = await this.trimAfter(after);
  }

  /** Returns the last connection of the batch, or null after the last batch. */
  private async trimAfter(after: string): Promise<string | null> {
    const keptFrom = (retentionClass: RetentionClass) =>
      uuidAt(this.clock.now().getTime() - RETENTION_DAYS[retentionClass] * DAY_MS);
    const [row] = await sql<{ last: string | null }>(
      this.em.fork(),
      `with batch as (
         select c.uuid, ${KEPT_FROM} as kept_from from connection c join environment e on e.uuid = c.environment_uuid
         where c.uuid > $1 order by c.uuid limit ${CONNECTIONS}
       ), expired as (
         select f.uuid, f.environment_uuid from batch cross join lateral (
           select uuid, environment_uuid from "fetch"
           where connection_uuid = batch.uuid and uuid < batch.kept_from and status not in ('QUEUED', 'RUNNING')
             and not exists (select 1 from fetch_failure d where d.fetch_uuid = "fetch".uuid and d.open)
           limit ${FETCHES} for update skip locked) f
       ), deleted as (
         delete from "fetch" f using expired where f.uuid = expired.uuid and f.environment_uuid = expired.environment_uuid
       )
       select uuid as last from batch order by uuid desc limit 1`,
      [after, keptFrom('SHORT'), keptFrom('STANDARD'), keptFrom('LONG')],
    );
    return row?.last ?? null;
  }
}
