import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { affected, sql } from '../../platform/database/sql';
import { nonOverlapping } from '../../platform/jobs/non-overlapping';

/** Rows that one transaction holds: a client with a million connections is brought forward bit by bit. */
const BATCH = 1000;
/** A fetch that began to settle with the former interval in its hands has ended after so long, or been cut off. */
const SETTLED_SECONDS = 90;

/** Brings dates forward that lie further ahead than a client's interval has become. */
@Injectable()
export class RescheduleConnections implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RescheduleConnections.name);
  private readonly rescheduleOnce = nonOverlapping(
    () => this.reschedule(),
    this.logger,
    'Dates could not be brought forward',
  );

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** On its own: however much there is to move, what is due meanwhile does not wait. */
  @Interval(1000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.rescheduleOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rescheduleOnce.close();
  }

  /** Costs one look into an empty index unless an interval has been shortened a moment ago. Answers how many it moved. */
  async reschedule(): Promise<number> {
    const shortened = await sql<{ uuid: string }>(
      this.em.fork(),
      'select uuid from environment where interval_shortened_at is not null',
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

  /** What is locked, by a fetch that settles or by another instance that does the same, is left to the next look. */
  private async rescheduleEnvironment(environmentUuid: string): Promise<number> {
    for (let moved = 0; ;) {
      const some = await affected(
        this.em.fork(),
        `with late as materialized (
           select c.uuid, e.fetch_interval_minutes as minutes from connection c join environment e on e.uuid = c.environment_uuid
           where c.environment_uuid = $1 and c.next_fetch_at > $2::timestamptz + make_interval(mins => e.fetch_interval_minutes)
           limit ${BATCH} for update of c skip locked)
         update connection c set next_fetch_at = next_fetch_time(c.uuid, $2, late.minutes) from late where c.uuid = late.uuid`,
        [environmentUuid, this.clock.now()],
      );
      moved += some;
      if (some < BATCH) return moved;
    }
  }
}
