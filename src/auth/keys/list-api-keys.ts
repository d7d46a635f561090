import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import type { Page } from '../../platform/errors/envelope';
import type { Caller } from '../../platform/http/access/access.decorator';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type PageQuery } from '../../platform/http/input/page';
import { ApiKey } from './api-key.entity';
import { apiKeyView, type ListedApiKeyView } from './api-key.view';

/** `GET /v1/console/keys`: the keys of the environment, newest first. */
@Injectable()
export class ListApiKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async list({ environmentUuid }: Caller, query: PageQuery): Promise<Page<ListedApiKeyView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em
      .fork()
      .find(
        ApiKey,
        { environmentUuid, ...(before && { uuid: { $lt: before } }) },
        { orderBy: { uuid: 'desc' }, limit: limit + 1 },
      );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const now = this.clock.now();
    return {
      data: page.map((key) => apiKeyView(key, now)),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
