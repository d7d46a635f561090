import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../platform/http/access';
import type { Page } from '../platform/http/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor } from '../platform/http/page';
import type { ListConnectionsQuery } from './connection.dto';
import { Connection } from './connection.entity';
import { type ConnectionView, connectionView } from './connection.view';

/** `GET /v1/connections` (spec 4.1): the identity's connections, oldest first; all of them unless a page is asked for. */
@Injectable()
export class ListConnections {
  constructor(private readonly em: EntityManager) {}

  async run(caller: Caller, query: ListConnectionsQuery): Promise<Page<ConnectionView>> {
    const paged = query.limit !== undefined || query.cursor !== undefined;
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em.find(
      Connection,
      {
        identityUuid: caller.identityUuid!,
        environmentUuid: caller.environmentUuid,
        $and: [
          ...(caller.onlyConnectionUuid ? [{ uuid: caller.onlyConnectionUuid }] : []),
          ...(caller.onlyIntegrationId ? [{ integrationId: caller.onlyIntegrationId }] : []),
          ...(query.integration !== undefined ? [{ integrationId: query.integration }] : []),
          ...(query.webhook ? [{ webhookUrl: query.webhook === 'true' ? { $ne: null } : null }] : []),
          ...(after ? [{ uuid: { $gt: after } }] : []),
        ],
      },
      { orderBy: { uuid: 'asc' }, ...(paged && { limit: limit + 1 }) },
    );
    const page = paged ? rows.slice(0, limit) : rows;
    const hasMore = rows.length > page.length;
    return {
      data: page.map(connectionView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
