import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { addDays, DATES_NEEDED, GRACE_DAYS, missingInvoice, TOLD_DAYS } from './missing-invoice';
import { RecordMissingInvoice } from './record-missing-invoice';

/** Identities per statement. */
const IDENTITIES = 200;
/** Days of history that show a rhythm: four months and what the rule allows after them, and some. */
const HISTORY_DAYS = 260;
/** Between two checks of an environment. */
const CHECK_SECONDS = 86_400;

interface SupplierRow {
  readonly identity_uuid: string;
  readonly supplier_key: string;
  readonly dates: readonly string[];
}

/**
 * Looks once a day, in environments that want it, for suppliers whose monthly invoice has not come (decisions 9). Only the latest dates
 * of suppliers that are late are read into memory, for a limited number of identities at a time.
 */
@Injectable()
export class WatchExpectedInvoices {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly missing: RecordMissingInvoice,
  ) {}

  @Recurring({ everyMs: 600_000, failure: 'Expected documents could not be checked' })
  async check(signal?: AbortSignal): Promise<void> {
    for (let environment = await this.claim(); environment; environment = await this.claim()) {
      for (let after: string | null = NIL; after !== null && !signal?.aborted;) {
        after = await this.checkIdentities(environment, after);
      }
      if (signal?.aborted) return;
    }
  }

  /** Takes an environment whose last check is a day ago; other processes then leave it out. */
  private async claim(): Promise<string | undefined> {
    const now = this.clock.now();
    const rows = await sql<{ uuid: string }>(
      this.em.fork(),
      `update environment set expected_documents_checked_at = $1
       where uuid = (
         select uuid from environment
         where expected_documents and fence is null and coalesce(expected_documents_checked_at, '-infinity') <= $2
         order by uuid limit 1 for update skip locked)
       returning uuid`,
      [now, this.clock.in(-CHECK_SECONDS)],
    );
    return rows[0]?.uuid;
  }

  /** Returns the last identity of the page; null when there are no more. */
  private async checkIdentities(environmentUuid: string, after: string): Promise<string | null> {
    const em = this.em.fork();
    const page = await sql<{ uuid: string }>(
      em,
      `select uuid from identity where environment_uuid = $1 and uuid > $2 order by uuid limit ${IDENTITIES}`,
      [environmentUuid, after],
    );
    const today = this.clock.now().toISOString().slice(0, 10);
    const suppliers = await sql<SupplierRow>(em, LATE_SUPPLIERS, [
      page.map(({ uuid }) => uuid),
      addDays(today, -HISTORY_DAYS),
      addDays(today, -TOLD_DAYS - GRACE_DAYS - 31),
      addDays(today, -GRACE_DAYS - 28),
    ]);
    for (const { identity_uuid: identityUuid, supplier_key: supplierKey, dates } of suppliers) {
      const missing = missingInvoice(dates, today);
      if (missing) await this.missing.record({ environmentUuid, identityUuid, supplierKey, ...missing });
    }
    return page.length < IDENTITIES ? null : page.at(-1)!.uuid;
  }
}

/** SQL: the latest dates of the suppliers of some identities ($1), since a day ($2), whose last invoice is between two days ($3, $4). */
export const LATE_SUPPLIERS = `
  select i.uuid as identity_uuid, s.supplier_key, s.dates
  from unnest($1::uuid[]) as i (uuid)
  cross join lateral (
    select supplier_key, (array_agg(distinct metadata->>'date' order by metadata->>'date' desc))[1:${DATES_NEEDED}] as dates
    from transaction
    where identity_uuid = i.uuid and metadata->'supplier' is not null and metadata->>'date' >= $2
      and supplier_key is not null and document_type in ('invoice', 'receipt')
    group by supplier_key
    having max(metadata->>'date') between $3 and $4) s`;
