import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../../platform/errors/errors';
import type { ConnectionRecord } from '../../state/connection-record';
import { Webhook } from '../webhook.entity';

/** `GET /v1/connections/{uuid}/webhook` (decisions 5): the registration of the connection. */
@Injectable()
export class GetConnectionWebhook {
  constructor(private readonly em: EntityManager) {}

  /** @throws ApiError 404 `WEBHOOK_NOT_FOUND` if the connection has none */
  async get({ webhookUuid }: Pick<ConnectionRecord, 'webhookUuid'>): Promise<Webhook> {
    if (!webhookUuid) throw notFound('WEBHOOK_NOT_FOUND');
    return this.em.findOneOrFail(Webhook, webhookUuid, { failHandler: () => notFound('WEBHOOK_NOT_FOUND') });
  }
}
