import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Encrypted } from '../../platform/crypto/sealed';
import { sql } from '../../platform/database/sql';
import { PushLimits } from '../shared/push-limits';
import { SendEvent, type ClaimedDelivery } from './send-event';
import { runTimeSlice } from '../shared/run-time-slice';

/** One run of the job. */
interface WebhookDrain {
  readonly timeSlice: AbortSignal;
  readonly abort: AbortSignal;
  readonly onStarted: () => void;
}

/** Events that are on their way to one webhook at the same time, at the most. */
const MAX_EVENTS_IN_FLIGHT = 8;

/**
 * The job "drain webhook W": sends what waits for one registration until nothing does, or its turn is over. One event is on
 * its way until the receiver answers, then one more with every answer (decisions 6, isolation): one that hangs costs a socket.
 */
@Injectable()
export class DrainWebhook {
  /** What lets the drains of this process look again, by webhook. */
  private readonly wakeUps = new Map<string, () => void>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly send: SendEvent,
    private readonly limits: PushLimits,
  ) {}

  /** `begun` is called when the first event has left, or there is none: until then it takes database and processor. */
  async drain(webhookUuid: string, signal: AbortSignal, begun: () => void = () => undefined): Promise<void> {
    try {
      await runTimeSlice(signal, this.limits, (turn, cut) =>
        this.drainQueue(webhookUuid, { timeSlice: turn, abort: cut, onStarted: begun }),
      );
    } finally {
      this.wakeUps.delete(webhookUuid);
    }
    await this.dropIfDisabled(webhookUuid);
  }

  /** Something new waits for a webhook: the drain that this process runs for it, if there is one, looks again. */
  wake(webhookUuid: string): void {
    this.wakeUps.get(webhookUuid)?.();
  }

  private async drainQueue(
    webhookUuid: string,
    { timeSlice: turn, abort: cut, onStarted: begun }: WebhookDrain,
  ): Promise<void> {
    const sending = new Set<Promise<void>>();
    const failures: unknown[] = [];
    let lanes = Math.min(this.limits.initialInFlight, MAX_EVENTS_IN_FLIGHT);
    const begin = (taken: ClaimedDelivery) => {
      const sent = this.send
        .send(taken, cut, begun)
        .then((answered) => void (lanes = answered ? Math.min(lanes + 1, MAX_EVENTS_IN_FLIGHT) : 1))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => sending.delete(sent));
      sending.add(sent);
    };
    for (;;) {
      const woken = new Promise<void>((resolve) => this.wakeUps.set(webhookUuid, resolve));
      while (sending.size < lanes && !turn.aborted && failures.length === 0) {
        const taken = await this.claim(webhookUuid).catch((error: unknown) => void failures.push(error));
        if (!taken) break;
        begin(taken);
      }
      if (sending.size === 0) break;
      await Promise.race([...sending, woken]);
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Takes the oldest one that waits. From this commit on it is never sent again, whatever happens (spec 6). Address and
   * secrets are those of this moment; nothing is taken for a registration that has been disabled.
   */
  private async claim(webhookUuid: string): Promise<ClaimedDelivery | undefined> {
    const [row] = await sql<Omit<ClaimedDelivery, 'secrets'> & { secrets: Buffer }>(
      this.em.fork(),
      `update webhook_delivery d set state = 'SENDING', sent_at = $2
       from webhook w
       where w.uuid = $1 and w.disabled_at is null and d.uuid = (
         select uuid from webhook_delivery where webhook_uuid = $1 and state = 'WAITING'
         order by uuid limit 1 for update skip locked)
       returning d.uuid, d.event_uuid as "eventUuid", w.uuid as "webhookUuid", w.environment_uuid as "environmentUuid",
         w.url, w.secrets, w.secrets_bound as "secretsBound"`,
      [webhookUuid, this.clock.now()],
    );
    return row && { ...row, secrets: new Encrypted(row.secrets) };
  }

  /**
   * What waits for a disabled registration is dropped, and the log says so: the database did it when that was disabled, this
   * is for what was written down a moment later.
   */
  private async dropIfDisabled(webhookUuid: string): Promise<void> {
    await sql(
      this.em.fork(),
      `update webhook_delivery d set state = 'FAILED', error_code = 'WEBHOOK_DISABLED'
       from webhook w
       where w.uuid = $1 and w.disabled_at is not null and d.webhook_uuid = w.uuid and d.state = 'WAITING'`,
      [webhookUuid],
    );
  }
}
