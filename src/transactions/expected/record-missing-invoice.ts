import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Party } from '../../documents/metadata';
import { statusSql } from '../../identities/connection-status';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Outbox } from '../../platform/outbox/outbox';
import type { MissingInvoice } from './missing-invoice';

/** Data of the event `document.expected_missing` (decisions 9). */
export interface ExpectedMissingData {
  readonly supplier: Pick<Party, 'name' | 'vat_id' | 'iban'>;
  readonly last_dates: readonly string[];
  readonly expected_by: string;
}

interface LateSupplier extends MissingInvoice {
  readonly environmentUuid: string;
  readonly identityUuid: string;
  readonly supplierKey: string;
}

/** Records once that the invoice of a supplier is missing, as an event of the connection that its last invoice came from. */
@Injectable()
export class RecordMissingInvoice {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  async record(late: LateSupplier): Promise<void> {
    const { environmentUuid, identityUuid, supplierKey, lastDates, expectedBy } = late;
    await this.em.fork().transactional(async (em) => {
      const [told] = await sql<{ connection_uuid: string; supplier: Party }>(em, INSERT, [
        environmentUuid,
        identityUuid,
        supplierKey,
        lastDates.at(-1),
        expectedBy,
        this.clock.now(),
      ]);
      if (!told) return;
      const { name, vat_id, iban } = told.supplier;
      const data: ExpectedMissingData = {
        supplier: { ...(name && { name }), ...(vat_id && { vat_id }), ...(iban && { iban }) },
        last_dates: lastDates,
        expected_by: expectedBy,
      };
      const event = { environmentUuid, subjectUuid: told.connection_uuid, type: 'document.expected_missing' };
      this.outbox.record(em, { ...event, data: { ...data } });
    });
  }
}

/**
 * SQL: nothing is missing while its connection could not be read since the day ($5), and after a document that names the supplier in
 * any way, whatever its type is: its date or id may not have been readable. A credit note is not the expected invoice.
 */
const INSERT = `
  with latest as (
    select t.connection_uuid, t.metadata->'supplier' as supplier from transaction t
    where t.identity_uuid = $2 and t.metadata->'supplier' is not null and t.metadata->>'date' = $4 and t.supplier_key = $3
    order by t.uuid desc limit 1),
  told as (
    insert into missing_invoice (environment_uuid, identity_uuid, connection_uuid, supplier_key, last_date, created_at)
    select $1, $2, c.uuid, $3, $4::date, $6
    from latest join connection c on c.uuid = latest.connection_uuid
    where ${statusSql('c')} = 'ACTIVE' and c.last_success_at >= ($5::date + 1)::timestamp at time zone 'UTC'
      and not exists (
        select from transaction o
        where o.identity_uuid = $2 and o.metadata->'supplier' is not null and o.document_type <> 'credit_note'
          and (o.metadata->>'date' > $4 or (o.metadata->>'date' is null and o.created_at > $4::date))
          and (o.supplier_key = $3 or o.metadata->'supplier'->>'vat_id' = latest.supplier->>'vat_id'
            or o.metadata->'supplier'->>'iban' = latest.supplier->>'iban'
            or o.metadata->'supplier'->>'name' = latest.supplier->>'name'))
    on conflict do nothing returning connection_uuid)
  select told.connection_uuid, latest.supplier from told, latest`;
