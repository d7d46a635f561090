import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, type PageQuery, uuidCursor } from '../../platform/http/input/page';
import { ReadReplica } from '../../platform/replica/read-replica';
import { type RedeliveryProgressView, redeliveryProgressView } from './redelivery-progress.view';
import { Redelivery } from './redelivery.entity';

/** `GET /v1/console/redeliveries` (decisions 10): the bulk redeliveries of an environment, the latest first. */
@Injectable()
export class ListRedeliveries {
  constructor(private readonly replica: ReadReplica) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` */
  async list(environmentUuid: string, query: PageQuery): Promise<Page<RedeliveryProgressView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = uuidCursor(query);
    const rows = await this.replica.read((em) =>
      em.find(
        Redelivery,
        { environmentUuid, ...(before && { uuid: { $lt: before } }) },
        { orderBy: { uuid: 'desc' }, limit: limit + 1 },
      ),
    );
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(redeliveryProgressView),
      meta,
    };
  }
}
