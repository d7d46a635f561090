import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, uuidCursor } from '../../platform/http/input/page';
import type { ListWebhooksQuery } from './webhook.dto';
import { Webhook } from './webhook.entity';
import { webhookView, type WebhookView } from './webhook.view';

/** `GET /v1/webhooks`: the registrations of the environment, or that of a connection, oldest first. */
@Injectable()
export class ListWebhooks {
  constructor(private readonly em: EntityManager) {}

  async list(caller: Caller, query: ListWebhooksQuery): Promise<Page<WebhookView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = uuidCursor(query);
    const rows = await this.em.find(
      Webhook,
      {
        environmentUuid: caller.environmentUuid,
        connectionUuid: query.connection_uuid ?? null,
        ...(after && { uuid: { $gt: after } }),
      },
      { orderBy: { uuid: 'asc' }, limit: limit + 1 },
    );
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(webhookView),
      meta,
    };
  }
}
