import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Conditions } from '../../platform/database/conditions';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { Page } from '../../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor } from '../../platform/http/input/page';
import type { ListIdentityConnectionsQuery } from '../setup/connection.dto';
import type { ConnectionView } from '../state/connection.view';
import { readConnections } from '../state/read-connections';
import { ShowConnections } from '../state/show-connections';

/**
 * `GET /v1/connections` (spec 4.1) and `GET /v1/identities/{identity_uuid}/connections` (decisions 5): an identity's
 * connections, oldest first, as far as the caller may see them.
 */
@Injectable()
export class ListConnections {
  constructor(
    private readonly em: EntityManager,
    private readonly show: ShowConnections,
  ) {}

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
    const where = new Conditions()
      .and('identity_uuid = ?', identityUuid)
      .and('environment_uuid = ?', caller.environmentUuid)
      .and('uuid = ?', caller.onlyConnectionUuid)
      .and('integration_id = ?', caller.onlyIntegrationId)
      .and('integration_id = ?', query.integration)
      .and('(webhook_uuid is not null) = ?', query.webhook === undefined ? null : query.webhook === 'true')
      // The status is derived; in SQL the view knows it.
      .and('uuid in (select s.uuid from connection_status s where s.identity_uuid = $1 and s.status = ?)', query.status)
      .and('uuid > ?', after);
    const parameters = [...where.parameters, limit === null ? null : limit + 1];
    const rows = await readConnections(this.em, `${where.text} order by uuid limit $${parameters.length}`, parameters);
    const page = limit === null ? rows : rows.slice(0, limit);
    const hasMore = rows.length > page.length;
    return {
      data: await this.show.run(page),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
