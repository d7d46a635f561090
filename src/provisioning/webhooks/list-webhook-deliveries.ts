import { Injectable } from '@nestjs/common';
import type { Webhook } from '../../connections/webhooks/webhook.entity';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, type PageQuery, uuidCursor } from '../../platform/http/input/page';
import { ReadReplica } from '../../platform/replica/read-replica';
import { WebhookDelivery } from './webhook-delivery.entity';
import { webhookDeliveryView, type WebhookDeliveryView } from './webhook-delivery.view';

/** `GET /v1/webhooks/{uuid}/deliveries`: the log of one registration, newest first. */
@Injectable()
export class ListWebhookDeliveries {
  constructor(private readonly replica: ReadReplica) {}

  async list({ uuid: webhookUuid }: Webhook, query: PageQuery): Promise<Page<WebhookDeliveryView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = uuidCursor(query);
    const rows = await this.replica.read((em) =>
      em.find(
        WebhookDelivery,
        { webhookUuid, ...(before && { uuid: { $lt: before } }) },
        { orderBy: { uuid: 'desc' }, limit: limit + 1 },
      ),
    );
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(webhookDeliveryView),
      meta,
    };
  }
}
