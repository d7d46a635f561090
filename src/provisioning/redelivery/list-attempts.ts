import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, type PageQuery, uuidCursor } from '../../platform/http/input/page';
import { earliestUuid } from '../../platform/history/history-partitions';
import { ReadReplica } from '../../platform/replica/read-replica';
import { Attempt } from '../../transactions/record/attempt.entity';
import { type AttemptView, attemptView } from './attempt.view';

/** `GET …/attempts` (decisions 5): the delivery log of one transaction, oldest first. */
@Injectable()
export class ListAttempts {
  constructor(private readonly replica: ReadReplica) {}

  async list(transactionUuid: string, query: PageQuery): Promise<Page<AttemptView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = uuidCursor(query);
    const rows = await this.replica.read((em) =>
      em.find(
        Attempt,
        { transactionUuid, uuid: { $gt: after ?? earliestUuid(transactionUuid) } },
        { orderBy: { uuid: 'asc' }, limit: limit + 1 },
      ),
    );
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(attemptView),
      meta,
    };
  }
}
