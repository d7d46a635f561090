import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/errors/errors';
import type { ConnectionFacts } from '../state/connection-facts';
import { Webhook } from './webhook.entity';

/** `GET /v1/connections/{uuid}/webhook` (decisions 5): the connection's own registration. */
@Injectable()
export class GetConnectionWebhook {
  constructor(private readonly em: EntityManager) {}

  /** @throws ApiError 404 `WEBHOOK_NOT_FOUND` when the connection has none */
  async run({ webhookUuid }: Pick<ConnectionFacts, 'webhookUuid'>): Promise<Webhook> {
    if (!webhookUuid) throw notFound('WEBHOOK_NOT_FOUND');
    return this.em.findOneOrFail(Webhook, webhookUuid, { failHandler: () => notFound('WEBHOOK_NOT_FOUND') });
  }
}
