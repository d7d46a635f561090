import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Page } from '../../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type PageQuery } from '../../platform/http/input/page';
import { type RedeliveryProgressView, redeliveryProgressView } from './redelivery-progress.view';
import { Redelivery } from './redelivery.entity';

/** `GET /v1/console/redeliveries` (decisions 10): the bulk redeliveries of an environment, the latest first. */
@Injectable()
export class ListRedeliveries {
  constructor(private readonly em: EntityManager) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` */
  async list(environmentUuid: string, query: PageQuery): Promise<Page<RedeliveryProgressView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em
      .fork()
      .find(
        Redelivery,
        { environmentUuid, ...(before && { uuid: { $lt: before } }) },
        { orderBy: { uuid: 'desc' }, limit: limit + 1 },
      );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      data: page.map(redeliveryProgressView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
