import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MAX } from 'uuid';
import { sql } from '../../platform/database/sql';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, type PageQuery, uuidCursor } from '../../platform/http/input/page';
import type { ExpectedDocumentView } from './expected-document.view';
import type { ExpectedMissingData } from './record-missing-invoice';

/** SQL: read from the index of reported events; the literal type lets it serve. */
const PAGE = `
  select o.uuid, o.data, o.created_at, c.uuid as connection_uuid, c.name as connection_name
  from outbox o join connection c on c.uuid = o.subject_uuid and c.environment_uuid = o.environment_uuid
  where o.environment_uuid = $1 and o.type = 'document.expected_missing' and o.uuid < $2 order by o.uuid desc limit $3`;

interface Row {
  readonly uuid: string;
  readonly data: ExpectedMissingData;
  readonly created_at: string;
  readonly connection_uuid: string;
  readonly connection_name: string;
}

/** `GET /v1/console/expected-documents` (decisions 10): the missing monthly invoices, the latest first. */
@Injectable()
export class ListExpectedDocuments {
  constructor(private readonly em: EntityManager) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` */
  async list(environmentUuid: string, query: PageQuery): Promise<Page<ExpectedDocumentView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = uuidCursor(query) ?? MAX;
    const rows = await sql<Row>(this.em, PAGE, [environmentUuid, before, limit + 1]);
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(expectedDocumentView),
      meta,
    };
  }
}

function expectedDocumentView({ uuid, data, created_at, connection_uuid, connection_name }: Row): ExpectedDocumentView {
  const { name = null, vat_id = null, iban = null } = data.supplier;
  return {
    event_uuid: uuid,
    connection_uuid,
    connection_name,
    supplier: { name, vat_id, iban },
    last_dates: data.last_dates,
    expected_by: data.expected_by,
    created_at: new Date(created_at).toISOString(),
  };
}
