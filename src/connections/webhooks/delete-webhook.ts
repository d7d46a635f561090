import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import type { ConnectionFacts } from '../state/connection-facts';
import { Connection } from '../state/connection.entity';
import { lockWebhook } from './own-webhook';
import { RecordWebhookChange } from './record-webhook-change';
import type { Webhook } from './webhook.entity';

/** `DELETE /v1/webhooks/{uuid}` and `DELETE /v1/connections/{uuid}/webhook`: with what waits for it and its log. */
@Injectable()
export class DeleteWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly record: RecordWebhookChange,
  ) {}

  async run(caller: Caller, { uuid, connectionUuid }: Pick<Webhook, 'uuid' | 'connectionUuid'>): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      if (connectionUuid) await this.forget(em, connectionUuid);
      const webhook = await lockWebhook(em, uuid);
      this.record.run(em, caller.actor, webhook, 'delete');
      em.remove(webhook);
    });
  }

  /** @throws ApiError 404 when the connection has none */
  ofConnection(caller: Caller, { uuid, webhookUuid }: ConnectionFacts): Promise<void> {
    if (!webhookUuid) throw notFound('WEBHOOK_NOT_FOUND');
    return this.run(caller, { uuid: webhookUuid, connectionUuid: uuid });
  }

  /** The connection first, as everywhere: whoever registers another one at this moment waits. */
  private async forget(em: EntityManager, connectionUuid: string): Promise<void> {
    const connection = await em.findOne(Connection, connectionUuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!connection) throw notFound('WEBHOOK_NOT_FOUND'); // it went with its connection
    connection.webhookUuid = null;
    connection.updatedAt = this.clock.now();
  }
}
