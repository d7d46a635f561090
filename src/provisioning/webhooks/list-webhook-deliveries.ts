import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Webhook } from '../../connections/webhooks/webhook.entity';
import type { Page } from '../../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type PageQuery } from '../../platform/http/input/page';
import { WebhookDelivery } from './webhook-delivery.entity';
import { webhookDeliveryView, type WebhookDeliveryView } from './webhook-delivery.view';

/** `GET /v1/webhooks/{uuid}/deliveries`: the log of one registration, newest first. */
@Injectable()
export class ListWebhookDeliveries {
  constructor(private readonly em: EntityManager) {}

  async list({ uuid: webhookUuid }: Webhook, query: PageQuery): Promise<Page<WebhookDeliveryView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em.find(
      WebhookDelivery,
      { webhookUuid, ...(before && { uuid: { $lt: before } }) },
      { orderBy: { uuid: 'desc' }, limit: limit + 1 },
    );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      data: page.map(webhookDeliveryView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
