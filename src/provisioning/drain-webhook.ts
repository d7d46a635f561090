import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from '../platform/clock';
import { Sealed } from '../platform/crypto/sealed';
import { sql } from '../platform/database/sql';
import { PushLimits } from './push-limits';
import { SendEvent, type Taken } from './send-event';
import { takeTurn } from './turn';

/** Events that are on their way to one webhook at the same time. */
const AT_ONCE = 8;
/** While some are on their way, new ones are looked for so often. */
const LOOK_MS = 250;

/** The job "drain webhook W": sends what waits for one registration until nothing does, or its turn is over. */
@Injectable()
export class DrainWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly send: SendEvent,
    private readonly limits: PushLimits,
  ) {}

  async run(webhookUuid: string, signal: AbortSignal): Promise<void> {
    await takeTurn(signal, this.limits, (turn, cut) => this.drain(webhookUuid, turn, cut));
    await this.dropIfDisabled(webhookUuid);
  }

  private async drain(webhookUuid: string, turn: AbortSignal, cut: AbortSignal): Promise<void> {
    const sending = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const begin = (taken: Taken) => {
      const sent = this.send
        .run(taken, cut)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => sending.delete(sent));
      sending.add(sent);
    };
    for (;;) {
      while (sending.size < AT_ONCE && !turn.aborted && failures.length === 0) {
        const taken = await this.take(webhookUuid).catch((error: unknown) => void failures.push(error));
        if (!taken) break;
        begin(taken);
      }
      if (sending.size === 0) break;
      await Promise.race([...sending, pause(LOOK_MS)]);
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Takes the oldest one that waits. From this commit on it is never sent again, whatever happens (spec 6). Address and
   * secrets are those of this moment; nothing is taken for a registration that has been disabled.
   */
  private async take(webhookUuid: string): Promise<Taken | undefined> {
    const [row] = await sql<Omit<Taken, 'secrets'> & { secrets: Buffer }>(
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
    return row && { ...row, secrets: new Sealed(row.secrets) };
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
