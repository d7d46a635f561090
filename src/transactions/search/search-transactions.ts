import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MAX, validate as isUuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { Conditions } from '../../platform/database/conditions';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, encodeCursor, uuidCursor } from '../../platform/http/input/page';
import { periodOf } from '../../platform/http/input/period';
import { ReadReplica } from '../../platform/replica/read-replica';
import { type FeedEntry, readTransactions } from '../feed/read-transactions';
import { type TransactionView, transactionView } from '../feed/transaction.view';
import type { SearchTransactionsQuery } from './search-transactions.dto';
import { type CandidateQuery, readTransactionCandidates } from './transaction-candidates';

/** Transactions per statement while a filter without an index is applied. */
const CHUNK = 5_000;
/** Uuids that are read at once when that costs as much as reading all of a connection or identity, however many are asked for. */
const UNORDERED_CHUNK = 10 * CHUNK;
/** A request looks for more for at most this long: then the page ends early, and the cursor continues. */
const SEARCH_MS = 300;

/**
 * `GET /v1/console/transactions` (decisions 10): the documents of the environment, newest first. Status, connection, identity and period
 * are read from indexes; a text and a type are looked for among the newest, for a limited time for each page. The cursor is a transaction,
 * so documents that are added or change do not move the others. It does not use the feed, whose positions only polls assign.
 */
@Injectable()
export class SearchTransactions {
  constructor(
    private readonly replica: ReadReplica,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` or `to` */
  async search(environmentUuid: string, query: SearchTransactionsQuery): Promise<Page<TransactionView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = uuidCursor(query) ?? MAX;
    const { entries, next } = await this.replica.read((em) => this.find(em, environmentUuid, query, before, limit));
    const now = this.clock.now();
    return {
      data: entries.map((entry) => transactionView(entry, now)),
      meta: { next_cursor: next && encodeCursor([next]), has_more: next !== null },
    };
  }

  private async find(
    em: EntityManager,
    environmentUuid: string,
    query: SearchTransactionsQuery,
    before: string,
    limit: number,
  ): Promise<{ entries: FeedEntry[]; next: string | null }> {
    const text = query.q?.trim() ?? '';
    if (isUuid(text)) return { entries: await this.read(em, environmentUuid, query, [text], limit), next: null };
    const candidates: CandidateQuery = {
      environmentUuid,
      ...(query.connection_uuid && { connectionUuid: query.connection_uuid }),
      ...(query.identity_uuid && { identityUuid: query.identity_uuid }),
      ...(query.status && { status: query.status }),
      ...periodOf(query),
    };
    const isOrdered = !query.connection_uuid && !query.identity_uuid;
    const chunk = !isFiltered(query) ? limit + 1 : isOrdered ? CHUNK : UNORDERED_CHUNK;
    const started = performance.now();
    const entries: FeedEntry[] = [];
    let last = before;
    do {
      const uuids = await readTransactionCandidates(em, candidates, last, chunk);
      for (let at = 0; at < uuids.length; at += CHUNK) {
        if (at > 0 && performance.now() - started >= SEARCH_MS) return { entries, next: last };
        const examined = uuids.slice(at, at + CHUNK);
        entries.push(...(await this.read(em, environmentUuid, query, examined, limit + 1 - entries.length)));
        if (entries.length > limit) {
          return { entries: entries.slice(0, limit), next: entries[limit - 1]!.transaction.uuid };
        }
        last = examined.at(-1)!;
      }
      if (uuids.length < chunk) return { entries, next: null };
    } while (performance.now() - started < SEARCH_MS);
    return { entries, next: last };
  }

  /** Those of the candidates that fulfill all filters, newest first. */
  private read(
    em: EntityManager,
    environmentUuid: string,
    query: SearchTransactionsQuery,
    uuids: readonly string[],
    limit: number,
  ): Promise<FeedEntry[]> {
    if (uuids.length === 0) return Promise.resolve([]);
    const { from, to } = periodOf(query);
    const text = query.q?.trim() ?? '';
    const where = new Conditions()
      .and('t.environment_uuid = ?', environmentUuid)
      .and('t.uuid = any(?::uuid[])', uuids)
      .and('t.status = ?', query.status)
      .and('t.connection_uuid = ?', query.connection_uuid)
      .and('t.identity_uuid = ?', query.identity_uuid)
      .and('t.document_type = ?', query.document_type)
      .and('t.created_at >= ?', from)
      .and('t.created_at < ?', to)
      .and(CONTAINS, text === '' || isUuid(text) ? null : `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    const parameters = [...where.parameters, limit];
    const rest = `${where.text} order by t.uuid desc limit $${parameters.length}`;
    return readTransactions(em, rest, parameters);
  }
}

/** SQL: a part of a text of the document. */
const CONTAINS = `(t.filename ilike ? or t.external_id ilike ? or t.metadata->>'number' ilike ? or t.metadata->'supplier'->>'name' ilike ?)`;

/** Whether a filter leaves out candidates that an index has found. */
const isFiltered = ({
  q,
  document_type: type,
  from,
  to,
  status,
  connection_uuid,
  identity_uuid,
}: SearchTransactionsQuery) =>
  (q?.trim() ?? '') !== '' ||
  type !== undefined ||
  from !== undefined ||
  to !== undefined ||
  (status !== undefined && (connection_uuid ?? identity_uuid) !== undefined) ||
  (connection_uuid !== undefined && identity_uuid !== undefined);
