import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MAX } from 'uuid';
import { sql } from '../../platform/database/sql';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, type PageQuery, uuidCursor } from '../../platform/http/input/page';
import type { SourceRequestView } from './source-request.view';

/** SQL: read from the index of reported events; the literal type lets it serve. */
const PAGE = `
  select o.uuid, o.data->>'text' as text, o.created_at, i.uuid as identity_uuid, i.client_identifier, i.display_name
  from outbox o join identity i on i.uuid = o.subject_uuid and i.environment_uuid = o.environment_uuid
  where o.environment_uuid = $1 and o.type = 'source.requested' and o.uuid < $2 order by o.uuid desc limit $3`;

type Row = Omit<SourceRequestView, 'event_uuid'> & { readonly uuid: string };

/** `GET /v1/console/source-requests` (decisions 10): what users have asked for, newest first, as long as events are kept. */
@Injectable()
export class ListSourceRequests {
  constructor(private readonly em: EntityManager) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` */
  async list(environmentUuid: string, query: PageQuery): Promise<Page<SourceRequestView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = uuidCursor(query) ?? MAX;
    const rows = await sql<Row>(this.em, PAGE, [environmentUuid, before, limit + 1]);
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(({ uuid, created_at, ...row }) => ({
        event_uuid: uuid,
        created_at: new Date(created_at).toISOString(),
        ...row,
      })),
      meta,
    };
  }
}
