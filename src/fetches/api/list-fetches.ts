import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, type PageQuery, uuidCursor } from '../../platform/http/input/page';
import { ReadReplica } from '../../platform/replica/read-replica';
import { Fetch } from '../history/fetch.entity';
import { type FetchView, fetchView } from '../history/fetch.view';

/** `GET /v1/connections/{uuid}/fetches` (decisions 5): newest first. Their uuids are ordered by time. */
@Injectable()
export class ListFetches {
  constructor(private readonly replica: ReadReplica) {}

  async list(connectionUuid: string, query: PageQuery): Promise<Page<FetchView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = uuidCursor(query);
    const rows = await this.replica.read((em) =>
      em.find(
        Fetch,
        { connectionUuid, ...(before && { uuid: { $lt: before } }) },
        { orderBy: { uuid: 'desc' }, limit: limit + 1 },
      ),
    );
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(fetchView),
      meta,
    };
  }
}
