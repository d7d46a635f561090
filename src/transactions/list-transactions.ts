import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Identity } from '../identities/identity.entity';
import type { Caller } from '../platform/http/access';
import type { Page } from '../platform/http/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor } from '../platform/http/page';
import { Positions } from './position';
import type { ListTransactionsQuery } from './transaction.dto';
import { Transaction } from './transaction.entity';
import { type TransactionView, transactionView } from './transaction.view';

/**
 * `GET /v1/transactions`: the polling feed (contract 5). Following `next_cursor` shows every transaction exactly once;
 * an empty page answers the cursor it was given, `cursor=now` starts at the end. A cursor is a place in the environment's
 * feed, whatever the filters: with other ones it goes on from the same place.
 */
@Injectable()
export class ListTransactions {
  constructor(
    private readonly em: EntityManager,
    private readonly positions: Positions,
  ) {}

  async run(caller: Caller, query: ListTransactionsQuery): Promise<Page<TransactionView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    await this.positions.assign(caller.environmentUuid);
    const after = await this.start(caller, query.cursor);
    const rows = await this.em.find(
      Transaction,
      {
        environmentUuid: caller.environmentUuid,
        position: { $gt: after },
        $and: [
          ...(caller.identityUuid ? [{ identityUuid: caller.identityUuid }] : []),
          ...(caller.onlyConnectionUuid ? [{ connectionUuid: caller.onlyConnectionUuid }] : []),
          ...(caller.onlyIntegrationId ? [{ integrationId: caller.onlyIntegrationId }] : []),
          ...(query.identity_uuid ? [{ identityUuid: query.identity_uuid }] : []),
          ...(query.connection_uuid ? [{ connectionUuid: query.connection_uuid }] : []),
          ...(query.document_type ? [{ documentType: query.document_type }] : []),
          ...(query.status ? [{ status: query.status }] : []),
          ...(query.created_from ? [{ createdAt: { $gte: new Date(query.created_from) } }] : []),
        ],
      },
      { orderBy: { position: 'asc' }, limit: limit + 1 },
    );
    const page = rows.slice(0, limit);
    const names = await this.clientIdentifiers(page);
    return {
      // One whose identity has been deleted since the page was read is gone with it.
      data: page.flatMap((transaction) => {
        const name = names.get(transaction.identityUuid);
        return name === undefined ? [] : [transactionView(transaction, name)];
      }),
      meta: {
        next_cursor: encodeCursor([page.at(-1)?.position ?? after, markOf(caller)]),
        has_more: rows.length > limit,
      },
    };
  }

  private async start(caller: Caller, cursor: string | undefined): Promise<number> {
    if (cursor === undefined) return 0;
    if (cursor === 'now') return this.positions.last(caller.environmentUuid);
    const [position] = decodeCursor<[number, string]>(
      cursor,
      ([value, mark, ...rest]) =>
        Number.isSafeInteger(value) && (value as number) >= 0 && mark === markOf(caller) && rest.length === 0,
    );
    return position;
  }

  private async clientIdentifiers(page: readonly Transaction[]): Promise<Map<string, string>> {
    const uuids = [...new Set(page.map((transaction) => transaction.identityUuid))];
    const identities = await this.em.find(Identity, { uuid: { $in: uuids } }, { fields: ['clientIdentifier'] });
    return new Map(identities.map((identity) => [identity.uuid, identity.clientIdentifier]));
  }
}

/** A cursor of another environment means nothing here: it is refused instead of skipping or repeating something. */
const markOf = (caller: Caller): string => caller.environmentUuid.slice(-12);
