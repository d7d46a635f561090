import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Page } from '../../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type PageQuery } from '../../platform/http/input/page';
import { DocumentFailure } from './document-failure.entity';
import { type DocumentFailureView, documentFailureView } from './document-failure.view';

/** `GET /v1/connections/{uuid}/failures` (decisions 9): the documents that could not be downloaded yet, those that began to fail last first. */
@Injectable()
export class ListFailures {
  constructor(private readonly em: EntityManager) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` */
  async list(connectionUuid: string, query: PageQuery): Promise<Page<DocumentFailureView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em.find(
      DocumentFailure,
      { connectionUuid, dismissedAt: null, ...(before && { uuid: { $lt: before } }) },
      { orderBy: { uuid: 'desc' }, limit: limit + 1 },
    );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      data: page.map(documentFailureView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
