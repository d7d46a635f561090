import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { discardWaitingEvents } from '../../connections/webhooks/disable-webhook';
import { Webhook } from '../../connections/webhooks/webhook.entity';
import { isServed } from '../../identities/environments/is-served';
import { Clock } from '../../platform/clock/clock';
import { Encrypted } from '../../platform/crypto/encrypted';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import { prepared } from '../../platform/database/sql';
import { ToldChanges } from '../../platform/replica/told-changes';
import { PushLimits } from '../shared/push-limits';
import { SendEvent, type ClaimedDelivery } from './send-event';
import { runTimeSlice } from '../shared/run-time-slice';

/** One run of the job. */
interface WebhookDrain {
  readonly timeSlice: AbortSignal;
  readonly abort: AbortSignal;
  readonly onStarted: () => void;
}

/** Maximum number of events in flight to one webhook. */
const MAX_EVENTS_IN_FLIGHT = 8;

/**
 * The job "drain webhook W": sends the waiting events of one registration until none is left, or its time slice ends.
 * It begins with one event in flight and adds one with every response (decisions 6, isolation): a receiver that hangs
 * costs one socket.
 */
@Injectable()
export class DrainWebhook {
  /** Wakes the drains of this process, by webhook. */
  private readonly wakeUps = new Map<string, () => void>();

  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly send: SendEvent,
    private readonly limits: PushLimits,
    private readonly told: ToldChanges,
  ) {}

  /**
   * `onStarted` is called when the first event has been sent, or when there is none. Until then the drain uses the
   * database and the processor.
   */
  async drain(webhookUuid: string, signal: AbortSignal, onStarted: () => void = () => undefined): Promise<void> {
    try {
      await runTimeSlice(signal, this.limits, (timeSlice, abort) =>
        this.drainQueue(webhookUuid, { timeSlice, abort, onStarted }),
      );
    } finally {
      this.wakeUps.delete(webhookUuid);
    }
    await discardWaitingEvents(this.em.fork(), webhookUuid); // recorded a moment after it was disabled
  }

  /** Wakes this process's drain of a webhook, if there is one, because a new event waits. */
  wake(webhookUuid: string): void {
    this.wakeUps.get(webhookUuid)?.();
  }

  private async drainQueue(webhookUuid: string, { timeSlice, abort, onStarted }: WebhookDrain): Promise<void> {
    const dataKey = await this.readKey(webhookUuid);
    if (!dataKey) return;
    const inFlight = new Set<Promise<void>>();
    const failures: unknown[] = [];
    let maxInFlight = Math.min(this.limits.initialInFlight, MAX_EVENTS_IN_FLIGHT);
    const begin = (claimed: ClaimedDelivery) => {
      const sent = this.send
        .send(claimed, dataKey, abort, onStarted)
        .then((answered) => void (maxInFlight = answered ? Math.min(maxInFlight + 1, MAX_EVENTS_IN_FLIGHT) : 1))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    };
    for (;;) {
      const woken = new Promise<void>((resolve) => this.wakeUps.set(webhookUuid, resolve));
      while (inFlight.size < maxInFlight && !timeSlice.aborted && failures.length === 0) {
        const claimed = await this.claim(webhookUuid).catch((error: unknown) => void failures.push(error));
        if (!claimed) break;
        begin(claimed);
      }
      if (inFlight.size === 0) break;
      await Promise.race([...inFlight, woken]);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Before an event is claimed: one that cannot be signed while a KMS is away must stay waiting. Null when the webhook is deleted. */
  private async readKey(webhookUuid: string): Promise<KeyRing | null> {
    const em = this.em.fork();
    const webhook = await em.findOne(Webhook, webhookUuid);
    return webhook && this.keyManager.key(em, webhook.environmentUuid);
  }

  /**
   * Claims the oldest waiting event. From this commit on it is never sent again (spec 6). Address and secrets are read
   * at this moment; nothing is claimed for a disabled registration.
   */
  private async claim(webhookUuid: string): Promise<ClaimedDelivery | undefined> {
    const [row] = await prepared<Omit<ClaimedDelivery, 'secrets'> & { secrets: Buffer }>(
      this.em.fork(),
      `update webhook_delivery d set state = 'SENDING', sent_at = $2
       from webhook w
       where w.uuid = $1 and w.disabled_at is null and ${isServed('w.environment_uuid')} and d.uuid = (
         select uuid from webhook_delivery where webhook_uuid = $1 and state = 'WAITING'
         order by uuid limit 1 for update skip locked)
       returning d.uuid, d.event_uuid as "eventUuid", w.uuid as "webhookUuid", w.environment_uuid as "environmentUuid",
         w.url, w.secrets, d.traceparent, d.linked_traceparent as "linkedTraceparent"`,
      [webhookUuid, this.clock.now()],
    );
    if (row) await this.told.note(row.environmentUuid);
    return row && { ...row, secrets: new Encrypted(row.secrets) };
  }
}
