import { Injectable } from '@nestjs/common';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { Clock } from '../../platform/clock/clock';
import { Conditions } from '../../platform/database/conditions';
import type { Page } from '../../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor } from '../../platform/http/input/page';
import { ReadReplica } from '../../platform/replica/read-replica';
import { FeedSequence } from './feed-sequence';
import { readTransactions } from './read-transactions';
import type { ListConnectionTransactionsQuery } from './transaction.dto';
import { type TransactionView, transactionView } from './transaction.view';

/**
 * `GET /v1/connections/{uuid}/transactions` (decisions 5): the documents of a connection, newest first. The order is that of the
 * feed, backwards, so that a page is read from the feed's index whatever the number of documents.
 */
@Injectable()
export class ListConnectionTransactions {
  constructor(
    private readonly replica: ReadReplica,
    private readonly feedSequence: FeedSequence,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` */
  async list(
    { uuid, environmentUuid }: ConnectionRecord,
    query: ListConnectionTransactionsQuery,
  ): Promise<Page<TransactionView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = query.cursor ? decodeCursor<[number]>(query.cursor, isCursor)[0] : null;
    await this.feedSequence.assign(environmentUuid);
    const rows = await this.replica.read((em) =>
      readTransactions(em, ...connectionPageQuery(uuid, query, before, limit + 1)),
    );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const now = this.clock.now();
    return {
      data: page.map((placed) => transactionView(placed, now)),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.position]) : null, has_more: hasMore },
    };
  }
}

const isCursor = ([position, ...rest]: unknown[]): boolean =>
  Number.isSafeInteger(position) && (position as number) > 0 && rest.length === 0;

/** The part of the page query after the joins, with its parameters. */
export function connectionPageQuery(
  connectionUuid: string,
  { fetch_uuid: fetchUuid }: Pick<ListConnectionTransactionsQuery, 'fetch_uuid'>,
  before: number | null,
  limit: number,
): [rest: string, parameters: unknown[]] {
  const where = new Conditions()
    .and('t.connection_uuid = ?', connectionUuid)
    .and('t.position < ?', before ?? Number.MAX_SAFE_INTEGER)
    .and('t.fetch_uuid = ?', fetchUuid);
  const parameters = [...where.parameters, limit];
  return [`${where.text} order by t.position desc limit $${parameters.length}`, parameters];
}
