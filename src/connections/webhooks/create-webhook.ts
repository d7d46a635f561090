import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { sql } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import { unprocessable } from '../../platform/errors/errors';
import { buildWebhook } from './build-webhook';
import { WebhookChangeLog } from './webhook-change-log';
import type { CreateWebhookDto } from './webhook.dto';
import { Webhook } from './webhook.entity';

/** Maximum registrations of an environment, not counting those of single connections. */
export const WEBHOOKS_PER_ENVIRONMENT = 20;

/** `POST /v1/webhooks`: registers a webhook for the whole environment. */
@Injectable()
export class CreateWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly changes: WebhookChangeLog,
  ) {}

  /** @throws ApiError 422 `TOO_MANY_WEBHOOKS` */
  async create(caller: Caller, dto: CreateWebhookDto): Promise<{ webhook: Webhook; secret: string }> {
    const { environmentUuid } = caller;
    const dataKey = await this.keyManager.key(this.em.fork(), environmentUuid);
    return this.em.fork().transactional(async (em) => {
      // Concurrent requests count one after the other.
      await sql(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks:${environmentUuid}`]);
      const existing = await em.count(Webhook, { environmentUuid, connectionUuid: null });
      if (existing >= WEBHOOKS_PER_ENVIRONMENT) {
        throw unprocessable('TOO_MANY_WEBHOOKS', { params: { limit: WEBHOOKS_PER_ENVIRONMENT } });
      }
      const created = buildWebhook(em, this.keyManager, {
        environmentUuid,
        dataKey,
        connectionUuid: null,
        dto,
        now: this.clock.now(),
      });
      this.changes.record(em, caller.actor, created.webhook, 'create');
      return created;
    });
  }
}
