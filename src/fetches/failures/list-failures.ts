import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, type PageQuery, uuidCursor } from '../../platform/http/input/page';
import { ReadReplica } from '../../platform/replica/read-replica';
import { DocumentFailure } from './document-failure.entity';
import { type DocumentFailureView, documentFailureView } from './document-failure.view';

/** `GET /v1/connections/{uuid}/failures` (decisions 9): the documents that could not be downloaded yet, those that began to fail last first. */
@Injectable()
export class ListFailures {
  constructor(private readonly replica: ReadReplica) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` */
  async list(connectionUuid: string, query: PageQuery): Promise<Page<DocumentFailureView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = uuidCursor(query);
    const rows = await this.replica.read((em) =>
      em.find(
        DocumentFailure,
        { connectionUuid, dismissedAt: null, ...(before && { uuid: { $lt: before } }) },
        { orderBy: { uuid: 'desc' }, limit: limit + 1 },
      ),
    );
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(documentFailureView),
      meta,
    };
  }
}
