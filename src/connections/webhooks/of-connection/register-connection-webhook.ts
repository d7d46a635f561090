import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changedUrl } from '../../../identities/environments/redact-url';
import { Clock } from '../../../platform/clock/clock';
import { KeyManager } from '../../../platform/crypto/key-manager';
import type { Caller } from '../../../platform/http/access/access.decorator';
import type { ConnectionRecord } from '../../state/connection-record';
import { eventsOrDefault, buildWebhook } from '../build-webhook';
import { lockConnection } from '../../access/load-connection';
import { lockWebhook } from '../webhook-resource';
import { WebhookChangeLog } from '../webhook-change-log';
import type { CreateWebhookDto } from '../webhook.dto';
import type { Webhook } from '../webhook.entity';

/** `PUT /v1/connections/{uuid}/webhook`: registers the webhook of the connection, which has at most one. */
@Injectable()
export class RegisterConnectionWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly changes: WebhookChangeLog,
  ) {}

  /** Replaces address and events of an existing registration, which keeps its secret and is enabled again. */
  async register(
    caller: Caller,
    { uuid, environmentUuid }: ConnectionRecord,
    dto: CreateWebhookDto,
  ): Promise<{ webhook: Webhook; secret: string | null }> {
    const dataKey = await this.keyManager.key(this.em.fork(), environmentUuid);
    return this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const now = this.clock.now();
      if (connection.webhookUuid) {
        const webhook = await lockWebhook(em, connection.webhookUuid);
        Object.assign(webhook, { url: changedUrl(webhook.url, dto.url), events: eventsOrDefault(dto), updatedAt: now });
        webhook.enable();
        this.changes.record(em, caller.actor, webhook, 'update');
        return { webhook, secret: null };
      }
      const given = { environmentUuid, dataKey, connectionUuid: uuid, dto, now };
      const created = buildWebhook(em, this.keyManager, given);
      connection.webhookUuid = created.webhook.uuid;
      connection.updatedAt = now;
      this.changes.record(em, caller.actor, created.webhook, 'create');
      return created;
    });
  }
}
