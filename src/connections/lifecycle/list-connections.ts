import { Injectable } from '@nestjs/common';
import { Conditions } from '../../platform/database/conditions';
import type { Caller } from '../../platform/http/access/access.decorator';
import { whereWithinTokenScope } from '../../platform/http/access/token-scope';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, encodeCursor, uuidCursor } from '../../platform/http/input/page';
import { ReadReplica } from '../../platform/replica/read-replica';
import { statusSql } from '../../identities/connection-status';
import type { ListIdentityConnectionsQuery } from '../setup/connection.dto';
import type { ConnectionView } from '../state/views/connection.view';
import { readConnections } from '../state/read-connections';
import { ConnectionPresenter } from '../state/connection-presenter';

/**
 * `GET /v1/connections` (spec 4.1) and `GET /v1/identities/{identity_uuid}/connections` (decisions 5): an identity's
 * connections that the caller may access, oldest first.
 */
@Injectable()
export class ListConnections {
  constructor(
    private readonly replica: ReadReplica,
    private readonly presenter: ConnectionPresenter,
  ) {}

  /** `withoutLimit` is the result of a query without `limit`: a page, or everything (spec 4.1). */
  async list(
    caller: Caller,
    identityUuid: string,
    query: ListIdentityConnectionsQuery,
    withoutLimit: 'page' | 'everything',
  ): Promise<Page<ConnectionView>> {
    const isPaged = withoutLimit === 'page' || query.limit !== undefined || query.cursor !== undefined;
    const limit = isPaged ? (query.limit ?? DEFAULT_LIMIT) : null;
    const after = uuidCursor(query);
    const ofIdentity = new Conditions()
      .and('identity_uuid = ?', identityUuid)
      .and('environment_uuid = ?', caller.environmentUuid);
    const columns = { connection: 'uuid', integration: 'integration_id' };
    const where = whereWithinTokenScope(ofIdentity, caller, columns)
      .and('integration_id = ?', query.integration)
      .and('(webhook_uuid is not null) = ?', query.webhook === undefined ? null : query.webhook === 'true')
      .and(`${statusSql('connection')} = ?`, query.status)
      .and('uuid > ?', after);
    const parameters = [...where.parameters, limit === null ? null : limit + 1];
    const rows = await this.replica.read((em) =>
      readConnections(em, `${where.text} order by uuid limit $${parameters.length}`, parameters),
    );
    const page = limit === null ? rows : rows.slice(0, limit);
    const hasMore = rows.length > page.length;
    return {
      data: await this.presenter.present(page),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
