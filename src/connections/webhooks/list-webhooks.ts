import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { Page } from '../../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor } from '../../platform/http/input/page';
import type { ListWebhooksQuery } from './webhook.dto';
import { Webhook } from './webhook.entity';
import { webhookView, type WebhookView } from './webhook.view';

/** `GET /v1/webhooks`: the registrations of the environment, or that of a connection, oldest first. */
@Injectable()
export class ListWebhooks {
  constructor(private readonly em: EntityManager) {}

  async list(caller: Caller, query: ListWebhooksQuery): Promise<Page<WebhookView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em.find(
      Webhook,
      {
        environmentUuid: caller.environmentUuid,
        connectionUuid: query.connection_uuid ?? null,
        ...(after && { uuid: { $gt: after } }),
      },
      { orderBy: { uuid: 'asc' }, limit: limit + 1 },
    );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      data: page.map(webhookView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
