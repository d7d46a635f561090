import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import { clearStoredResponses } from '../../platform/http/idempotency/clear-stored-responses';
import { deleteJobs } from '../../platform/jobs/job-queries';
import type { ConnectionRecord } from '../state/connection-record';
import { Connection } from '../state/connection.entity';
import { lockWebhook } from './webhook-resource';
import { WebhookChangeLog } from './webhook-change-log';
import type { Webhook } from './webhook.entity';

/** `DELETE /v1/webhooks/{uuid}` and `DELETE /v1/connections/{uuid}/webhook`: the foreign key deletes its pending events and its log. */
@Injectable()
export class DeleteWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly changes: WebhookChangeLog,
  ) {}

  async delete(caller: Caller, { uuid, connectionUuid }: Pick<Webhook, 'uuid' | 'connectionUuid'>): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      if (connectionUuid) await this.unlinkFromConnection(em, connectionUuid);
      const webhook = await lockWebhook(em, uuid);
      this.changes.record(em, caller.actor, webhook, 'delete');
      em.remove(webhook);
      await em.flush();
      await deleteJobs(em, [uuid]);
      await clearStoredResponses(em, [uuid]);
    });
  }

  /** @throws ApiError 404 if the connection has none */
  deleteOfConnection(caller: Caller, { uuid, webhookUuid }: ConnectionRecord): Promise<void> {
    if (!webhookUuid) throw notFound('WEBHOOK_NOT_FOUND');
    return this.delete(caller, { uuid: webhookUuid, connectionUuid: uuid });
  }

  /** Locks the connection before the webhook, as everywhere, so that a concurrent registration waits. */
  private async unlinkFromConnection(em: EntityManager, connectionUuid: string): Promise<void> {
    const connection = await em.findOne(Connection, connectionUuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!connection) throw notFound('WEBHOOK_NOT_FOUND'); // deleted with its connection
    connection.webhookUuid = null;
    connection.updatedAt = this.clock.now();
  }
}
