import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { sql } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import { unprocessable } from '../../platform/errors/errors';
import { newWebhook } from './new-webhook';
import { RecordWebhookChange } from './record-webhook-change';
import type { CreateWebhookDto } from './webhook.dto';
import { Webhook } from './webhook.entity';

/** So many registrations an environment may have, those of single connections not counted. */
export const WEBHOOKS_PER_ENVIRONMENT = 20;

/** `POST /v1/webhooks`: a registration that hears of everything in the environment. */
@Injectable()
export class CreateWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly clock: Clock,
    private readonly record: RecordWebhookChange,
  ) {}

  /** @throws ApiError 422 `TOO_MANY_WEBHOOKS` */
  async run(caller: Caller, dto: CreateWebhookDto): Promise<{ webhook: Webhook; secret: string }> {
    const { environmentUuid } = caller;
    return this.em.fork().transactional(async (em) => {
      // Parallel calls count one after the other.
      await sql(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks:${environmentUuid}`]);
      const existing = await em.count(Webhook, { environmentUuid, connectionUuid: null });
      if (existing >= WEBHOOKS_PER_ENVIRONMENT) {
        throw unprocessable('TOO_MANY_WEBHOOKS', { params: { limit: WEBHOOKS_PER_ENVIRONMENT } });
      }
      const created = await newWebhook(em, this.vault, {
        environmentUuid,
        connectionUuid: null,
        dto,
        now: this.clock.now(),
      });
      this.record.run(em, caller.actor, created.webhook, 'create');
      return created;
    });
  }
}
