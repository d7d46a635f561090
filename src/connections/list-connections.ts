import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../platform/http/access';
import type { Page } from '../platform/http/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor } from '../platform/http/page';
import type { ListIdentityConnectionsQuery } from './connection.dto';
import { Connection } from './connection.entity';
import { type ConnectionView, connectionView } from './connection.view';

/**
 * `GET /v1/connections` (spec 4.1) and `GET /v1/identities/{identity_uuid}/connections` (contract 5): an identity's
 * connections, oldest first, as far as the caller may see them.
 */
@Injectable()
export class ListConnections {
  constructor(private readonly em: EntityManager) {}

  /** `unasked` is what a query without `limit` gets: a page, or everything (spec 4.1). */
  async run(
    caller: Caller,
    identityUuid: string,
    query: ListIdentityConnectionsQuery,
    unasked: 'page' | 'everything',
  ): Promise<Page<ConnectionView>> {
    const paged = unasked === 'page' || query.limit !== undefined || query.cursor !== undefined;
    const limit = paged ? (query.limit ?? DEFAULT_LIMIT) : null;
    const after = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em.find(
      Connection,
      {
        identityUuid,
        environmentUuid: caller.environmentUuid,
        $and: [
          ...(caller.onlyConnectionUuid ? [{ uuid: caller.onlyConnectionUuid }] : []),
          ...(caller.onlyIntegrationId ? [{ integrationId: caller.onlyIntegrationId }] : []),
          ...(query.integration !== undefined ? [{ integrationId: query.integration }] : []),
          ...(query.webhook ? [{ webhookUuid: query.webhook === 'true' ? { $ne: null } : null }] : []),
          ...(query.status ? [{ uuid: { $in: withStatus(identityUuid, query.status) } }] : []),
          ...(after ? [{ uuid: { $gt: after } }] : []),
        ],
      },
      { orderBy: { uuid: 'asc' }, ...(limit !== null && { limit: limit + 1 }) },
    );
    const page = limit === null ? rows : rows.slice(0, limit);
    const hasMore = rows.length > page.length;
    return {
      data: page.map(connectionView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}

/** The status is derived; in SQL the view `connection_status` knows it. */
const withStatus = (identityUuid: string, status: string) =>
  raw('(select s.uuid from connection_status s where s.identity_uuid = ? and s.status = ?)', [identityUuid, status]);
