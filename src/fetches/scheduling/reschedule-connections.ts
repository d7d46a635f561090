import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { type ScheduledConnection, setNextFetchTimes } from './set-next-fetch-times';

/** Rows per transaction: a client with a million connections is rescheduled in batches. */
const BATCH = 1000;
/** After this time a fetch that read the former interval has ended or was aborted. */
const SETTLED_SECONDS = 90;

/** Reschedules connections whose next fetch is later than the shortened interval of their client allows. */
@Injectable()
export class RescheduleConnections {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Reads an empty index unless an interval has just been shortened. Returns the number of rescheduled connections. */
  @Recurring({ everyMs: 1000, failure: 'Connections could not be rescheduled' })
  async reschedule(): Promise<number> {
    const shortened = await sql<{ uuid: string }>(
      this.em.fork(),
      'select uuid from environment where interval_shortened_at is not null and fence is null',
    );
    let moved = 0;
    for (const { uuid } of shortened) {
      moved += await this.rescheduleEnvironment(uuid);
      await sql(
        this.em.fork(),
        `update environment e set interval_shortened_at = null where uuid = $1 and interval_shortened_at < $2
           and not exists (select 1 from connection c where c.environment_uuid = e.uuid
             and c.next_fetch_at > $3::timestamptz + make_interval(mins => e.fetch_interval_minutes))`,
        [uuid, this.clock.in(-SETTLED_SECONDS), this.clock.now()],
      );
    }
    return moved;
  }

  private async rescheduleEnvironment(environmentUuid: string): Promise<number> {
    for (let moved = 0; ;) {
      const batch = await this.em.fork().transactional((em) => this.rescheduleBatch(em, environmentUuid));
      moved += batch;
      if (batch < BATCH) return moved;
    }
  }

  /** Rows that are locked by a fetch or by another instance are left to the next tick. */
  private async rescheduleBatch(em: EntityManager, environmentUuid: string): Promise<number> {
    const now = this.clock.now();
    const late = await sql<ScheduledConnection>(
      em,
      `select c.uuid, e.fetch_interval_minutes from connection c join environment e on e.uuid = c.environment_uuid
       where c.environment_uuid = $1 and c.next_fetch_at > $2::timestamptz + make_interval(mins => e.fetch_interval_minutes)
       limit ${BATCH} for update of c skip locked`,
      [environmentUuid, now],
    );
    return late.length === 0 ? 0 : setNextFetchTimes(em, late, now);
  }
}
