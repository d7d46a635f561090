import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { ConnectionFacts } from '../state/connection-facts';
import { eventsOf, newWebhook } from './new-webhook';
import { lockConnection } from '../access/own-connection';
import { lockWebhook } from './own-webhook';
import { RecordWebhookChange } from './record-webhook-change';
import type { CreateWebhookDto } from './webhook.dto';
import type { Webhook } from './webhook.entity';

/** `PUT /v1/connections/{uuid}/webhook`: the connection's own registration, of which there is one at the most. */
@Injectable()
export class RegisterConnectionWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly clock: Clock,
    private readonly record: RecordWebhookChange,
  ) {}

  /** Registers it, or replaces address and events of the one there is, which keeps its secret and is enabled again. */
  async run(
    caller: Caller,
    { uuid }: ConnectionFacts,
    dto: CreateWebhookDto,
  ): Promise<{ webhook: Webhook; secret: string | null }> {
    return this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const now = this.clock.now();
      if (connection.webhookUuid) {
        const webhook = await lockWebhook(em, connection.webhookUuid);
        Object.assign(webhook, { url: dto.url, events: eventsOf(dto), updatedAt: now });
        webhook.enable();
        this.record.run(em, caller.actor, webhook, 'update');
        return { webhook, secret: null };
      }
      const { environmentUuid } = connection;
      const created = await newWebhook(em, this.vault, { environmentUuid, connectionUuid: uuid, dto, now });
      connection.webhookUuid = created.webhook.uuid;
      connection.updatedAt = now;
      this.record.run(em, caller.actor, created.webhook, 'create');
      return created;
    });
  }
}
