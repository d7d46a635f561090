import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Conditions } from '../../platform/database/conditions';
import type { Caller } from '../../platform/http/access/access.decorator';
import { type TokenScope, whereWithinTokenScope } from '../../platform/http/access/token-scope';
import type { FeedPage } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT } from '../../platform/http/input/page';
import { assertPeriod } from '../../platform/http/input/period';
import { ReadReplica } from '../../platform/replica/read-replica';
import { FeedSequence } from './feed-sequence';
import { readTransactions } from './read-transactions';
import type { ListTransactionsQuery } from './transaction.dto';
import { type TransactionView, transactionView } from './transaction.view';

/**
 * `GET /v1/transactions`: the polling feed (decisions 5). A client that follows `next_cursor` to the last page, and
 * later `poll_cursor`, receives every transaction exactly once. An empty page returns the given cursor; `cursor=now`
 * starts at the end. A cursor is a position in the environment's feed, independent of the filters, which may change
 * between requests.
 */
@Injectable()
export class ListTransactions {
  constructor(
    private readonly replica: ReadReplica,
    private readonly feedSequence: FeedSequence,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, query: ListTransactionsQuery): Promise<FeedPage<TransactionView>> {
    assertPeriod(query);
    const limit = query.limit ?? DEFAULT_LIMIT;
    // First, so that this page contains every transaction that was committed before the request.
    await this.feedSequence.assign(caller.environmentUuid);
    const after = await this.feedSequence.startPosition(caller.environmentUuid, query.cursor);
    // Every position is noted when it is assigned (ADR 33): the replica has all of them, or does not answer.
    const rows = await this.replica.read((em) =>
      readTransactions(em, ...feedPageQuery(caller, query, after, limit + 1)),
    );
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const now = this.clock.now();
    const pollCursor = this.feedSequence.cursorOf(caller.environmentUuid, page.at(-1)?.position ?? after);
    return {
      data: page.map((placed) => transactionView(placed, now)),
      meta: { next_cursor: hasMore ? pollCursor : null, has_more: hasMore, poll_cursor: pollCursor },
    };
  }
}

/** The part of the page query after the joins, with its parameters. */
export function feedPageQuery(
  caller: Pick<Caller, 'environmentUuid' | 'identityUuid'> & TokenScope,
  query: ListTransactionsQuery,
  after: number,
  limit: number,
): [rest: string, parameters: unknown[]] {
  const ofCaller = new Conditions()
    .and('t.environment_uuid = ?', caller.environmentUuid)
    .and('t.position > ?', after)
    .and('t.identity_uuid = ?', caller.identityUuid);
  const columns = { connection: 't.connection_uuid', integration: 't.integration_id' };
  const where = whereWithinTokenScope(ofCaller, caller, columns)
    .and('t.identity_uuid = ?', query.identity_uuid)
    .and('t.connection_uuid = ?', query.connection_uuid)
    .and('t.document_type = ?', query.document_type)
    .and('t.status = ?', query.status)
    // As a `Date`: the database accepts fewer offsets than RFC 3339.
    .and('t.created_at >= ?', query.created_from && new Date(query.created_from))
    .and('t.created_at < ?', query.created_to && new Date(query.created_to))
    // The index contains digests.
    .and('md5(t.external_id) = md5(?) and t.external_id = ?', query.external_id);
  const parameters = [...where.parameters, limit];
  return [`${where.text} order by t.position limit $${parameters.length}`, parameters];
}
