import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Page } from '../../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type PageQuery } from '../../platform/http/input/page';
import { Fetch } from '../history/fetch.entity';
import { type FetchView, fetchView } from '../history/fetch.view';

/** `GET /v1/connections/{uuid}/fetches` (decisions 5): newest first. Their uuids are ordered by time. */
@Injectable()
export class ListFetches {
  constructor(private readonly em: EntityManager) {}

  async list(connectionUuid: string, query: PageQuery): Promise<Page<FetchView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em.find(
      Fetch,
      { connectionUuid, ...(before && { uuid: { $lt: before } }) },
      { orderBy: { uuid: 'desc' }, limit: limit + 1 },
    );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      data: page.map(fetchView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
