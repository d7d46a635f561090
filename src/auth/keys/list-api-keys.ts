import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Page } from '../../platform/errors/envelope';
import type { Caller } from '../../platform/http/access/access.decorator';
import { DEFAULT_LIMIT, pageOf, type PageQuery, uuidCursor } from '../../platform/http/input/page';
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
    const before = uuidCursor(query);
    const rows = await this.em
      .fork()
      .find(
        ApiKey,
        { environmentUuid, ...(before && { uuid: { $lt: before } }) },
        { orderBy: { uuid: 'desc' }, limit: limit + 1 },
      );
    const { page, meta } = pageOf(rows, limit);
    const now = this.clock.now();
    return {
      data: page.map((key) => apiKeyView(key, now)),
      meta,
    };
  }
}
