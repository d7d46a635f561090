import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { sql } from '../../platform/database/sql';
import { nonOverlapping } from '../../platform/jobs/non-overlapping';
import { Outbox } from '../../platform/outbox/outbox';
import type { Connection } from './connection.entity';

/** A connection that has not succeeded for so many intervals does not work, whatever the reason. */
export const INTERVALS_UNTIL_OVERDUE = 3;
/** What one look takes at the most; it looks again at once while there is more. */
const BATCH = 200;

interface Overdue {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly waiting_since: string;
  readonly reason: string | null;
}

/**
 * The watchdog: finds active connections that no fetch has succeeded for, also those that nothing has failed for: a fetch
 * that never ends, or never begins. Costs one look into an index per environment, and what it finds; any number of
 * instances may look at once. What it says ends with the next success.
 */
@Injectable()
export class WatchOverdue implements BeforeApplicationShutdown {
  private readonly logger = new Logger(WatchOverdue.name);
  private readonly lookOnce = nonOverlapping(
    () => this.look(),
    this.logger,
    'Overdue connections could not be looked for',
  );

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  @Interval(10_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.lookOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.lookOnce.close();
  }

  /** Marks everything that has become overdue. */
  async look(): Promise<void> {
    for (let found = BATCH; found >= BATCH;) {
      found = await this.em.fork().transactional((em) => this.mark(em));
    }
  }

  private async mark(em: EntityManager): Promise<number> {
    const overdue = await sql<Overdue>(
      em,
      `update connection c set overdue_since = $1
       from (select late.uuid from environment e cross join lateral (
               select uuid from connection
               where environment_uuid = e.uuid and overdue_since is null
                 and waiting_since <= $1::timestamptz - ${INTERVALS_UNTIL_OVERDUE} * make_interval(mins => e.fetch_interval_minutes)
               order by waiting_since limit ${BATCH} for update skip locked) late
             limit ${BATCH}) late
       where c.uuid = late.uuid
       returning c.uuid, c.environment_uuid, c.waiting_since, case when c.failing_since is not null then c.failure_reason end as reason`,
      [this.clock.now()],
    );
    for (const { uuid, environment_uuid: environmentUuid, waiting_since: since, reason } of overdue) {
      const data = { since: new Date(since).toISOString(), reason: reason ?? 'PROVIDER_DOWN' };
      this.outbox.record(em, { environmentUuid, subjectUuid: uuid, type: 'connection.overdue', data });
      this.logger.warn(`Connection ${uuid} has not succeeded since ${data.since} (${reason ?? 'nothing has failed'})`);
    }
    return overdue.length;
  }
}

/** The fact that a connection works again: for the timeline, which has told that it did not. */
export function reportRecovery(
  em: EntityManager,
  outbox: Outbox,
  { environmentUuid, uuid: subjectUuid, overdueSince }: Connection,
  wasOverdueSince: Date | null | undefined,
): void {
  if (!wasOverdueSince || overdueSince) return;
  const data = { overdue_since: wasOverdueSince.toISOString() };
  outbox.record(em, { environmentUuid, subjectUuid, type: 'connection.recovered', data });
}
