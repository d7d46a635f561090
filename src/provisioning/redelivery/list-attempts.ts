import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Page } from '../../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type PageQuery } from '../../platform/http/input/page';
import { earliestUuid } from '../../platform/history/history-partitions';
import { Attempt } from '../../transactions/record/attempt.entity';
import { type AttemptView, attemptView } from './attempt.view';

/** `GET …/attempts` (decisions 5): the delivery log of one transaction, oldest first. */
@Injectable()
export class ListAttempts {
  constructor(private readonly em: EntityManager) {}

  async list(transactionUuid: string, query: PageQuery): Promise<Page<AttemptView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em.find(
      Attempt,
      { transactionUuid, uuid: { $gt: after ?? earliestUuid(transactionUuid) } },
      { orderBy: { uuid: 'asc' }, limit: limit + 1 },
    );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      data: page.map(attemptView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
