import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { type Reason, reasonCode } from '../../integrations/core/reason';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { Outbox } from '../../platform/outbox/outbox';
import type { Connection } from './connection.entity';

/** A connection without a successful fetch for this number of intervals is overdue, whatever the reason. */
export const INTERVALS_UNTIL_OVERDUE = 3;
/** Maximum connections per transaction; full batches are followed by another one immediately. */
const BATCH = 200;

interface OverdueRow {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly since: string;
  readonly reason: Reason | null;
}

/**
 * Marks active connections without a successful fetch as overdue, including those without a failed fetch, whose fetch
 * never ends or never begins. The next success clears the mark. A success comes into the index only with the next claim (ADR 27), so the
 * index finds candidates, and the last success decides. Costs one index lookup per environment plus the marked rows; several
 * instances may run at once.
 */
@Injectable()
export class StalenessMonitor {
  private readonly logger = new Logger(StalenessMonitor.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /** Marks all connections that have become overdue, in batches. */
  @Recurring({ everyMs: 10_000, failure: 'Marking overdue connections failed' })
  async markOverdue(): Promise<void> {
    for (let marked = BATCH; marked >= BATCH;) {
      marked = await this.em.fork().transactional((em) => this.markBatch(em));
    }
  }

  private async markBatch(em: EntityManager): Promise<number> {
    const overdue = await sql<OverdueRow>(
      em,
      `update connection c set overdue_since = $1
       from (select late.uuid
             from (select uuid, $1::timestamptz - ${INTERVALS_UNTIL_OVERDUE} * make_interval(mins => e.fetch_interval_minutes) as latest
               from environment e where fence is null) e cross join lateral (
               select uuid from connection
               where environment_uuid = e.uuid and overdue_since is null and awaiting_success_since <= e.latest
                 and (last_success_at is null or last_success_at <= e.latest)
               order by awaiting_success_since limit ${BATCH} for update skip locked) late
             limit ${BATCH}) late
       where c.uuid = late.uuid
       returning c.uuid, c.environment_uuid, greatest(c.awaiting_success_since, c.last_success_at) as since,
         case when c.failing_since is not null then c.failure_reason end as reason`,
      [this.clock.now()],
    );
    for (const { uuid, environment_uuid: environmentUuid, since, reason } of overdue) {
      const data = { since: new Date(since).toISOString(), reason: reasonCode(reason ?? 'PROVIDER_DOWN') };
      this.outbox.record(em, { environmentUuid, subjectUuid: uuid, type: 'connection.overdue', data });
      this.logger.warn({ connection_uuid: uuid, since: data.since, reason }, 'A connection is overdue');
    }
    return overdue.length;
  }
}

/** Records the event `connection.recovered` for the timeline, if the connection was overdue and no longer is. */
export function recordRecovery(
  em: EntityManager,
  outbox: Outbox,
  { environmentUuid, uuid: subjectUuid, overdueSince }: Connection,
  previousOverdueSince: Date | null | undefined,
): void {
  if (!previousOverdueSince || overdueSince) return;
  const data = { overdue_since: previousOverdueSince.toISOString() };
  outbox.record(em, { environmentUuid, subjectUuid, type: 'connection.recovered', data });
}
