import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isServed } from '../../identities/environments/is-served';
import { Clock } from '../../platform/clock/clock';
import { affected, sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { Endpoint } from './endpoint.entity';
import { RecordEndpointEvent } from './record-endpoint-event';
import { readUptimes, recordUptime, startOfUptime } from './worker-uptime';

/** decisions 6: a document that has waited behind an open circuit for this long gets one last attempt. */
export const MAX_WAIT_SECONDS = 72 * 3600;
/** decisions 6: while a circuit stays open, `endpoint.failing` is recorded again after each of these times, in seconds. */
const REMINDER_SECONDS = 24 * 3600;
const MAX_REMINDERS = 2;

/**
 * Periodic work on open circuits: records reminders that the endpoint still fails, and marks waiting documents as
 * expired. Waiting time counts only while a worker runs, so that nothing fails merely because the service was stopped.
 */
@Injectable()
export class CircuitMonitor implements OnApplicationBootstrap {
  private lastPollAt: Date | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly events: RecordEndpointEvent,
  ) {}

  onApplicationBootstrap(): void {
    this.lastPollAt = this.clock.now();
  }

  @Recurring({ everyMs: 60_000, failure: 'Open circuits could not be checked' })
  async poll(): Promise<void> {
    const now = this.clock.now();
    const uptime = { from: this.lastPollAt ?? now, to: now };
    this.lastPollAt = now; // also when the database is unavailable: that time does not count
    await recordUptime(this.em.fork(), uptime);
    await this.markExpired();
    await this.recordReminders(now);
  }

  /** Sets on open circuits the time at or before which a delivery must have begun to have waited for too long. */
  private async markExpired(): Promise<void> {
    const em = this.em.fork();
    const before = startOfUptime(await readUptimes(em), MAX_WAIT_SECONDS);
    if (!before) return;
    await affected(
      em,
      `update endpoint p set expire_before = $1 where opened_at <= $1 and ${isServed('p.environment_uuid')}`,
      [before],
    );
  }

  private async recordReminders(now: Date): Promise<void> {
    const since = new Date(now.getTime() - REMINDER_SECONDS * 1000);
    const due = await sql<{ uuid: string }>(
      this.em.fork(),
      `select environment_uuid as uuid from endpoint p
       where opened_at <= $1 and failing_events <= ${MAX_REMINDERS} and ${isServed('p.environment_uuid')}`,
      [since],
    );
    for (const { uuid } of due) {
      await this.em.fork().transactional(async (em) => {
        // Keeps the environment from being fenced meanwhile: an export would lack the event.
        const served = await sql(em, 'select from environment where uuid = $1 and fence is null for share', [uuid]);
        if (served.length === 0) return;
        const endpoint = await em.findOne(Endpoint, uuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (!endpoint?.openedAt || endpoint.openedAt > since) return; // it has recovered meanwhile
        const reached = Math.floor((now.getTime() - endpoint.openedAt.getTime()) / (REMINDER_SECONDS * 1000));
        if (Math.min(reached, MAX_REMINDERS) < endpoint.failingEvents) return;
        endpoint.failingEvents = Math.min(reached, MAX_REMINDERS); // missed reminders are not recorded later
        await this.events.recordFailing(em, endpoint);
      });
    }
  }
}
