import { Migration } from '@mikro-orm/migrations';

/** The invoices of monthly suppliers that have not come. */
export class ExpectDocuments extends Migration {
  override up(): void {
    this.addSql(`
      alter table environment add column expected_documents boolean not null default false,
        add column expected_documents_checked_at timestamptz(3) null;

      -- The VAT id or IBAN of the supplier.
      alter table transaction add column supplier_key text null;
      -- The documents of an identity's suppliers, by their dates (YYYY-MM-DD).
      create index transaction_supplier on transaction (identity_uuid, (metadata->>'date'))
        where (metadata->'supplier') is not null;

      -- What has been told, so that it is told once.
      create table missing_invoice (
        identity_uuid uuid not null,
        supplier_key text not null,
        last_date date not null,
        environment_uuid uuid not null,
        connection_uuid uuid not null,
        created_at timestamptz(3) not null,
        primary key (identity_uuid, supplier_key, last_date, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create index missing_invoice_connection on missing_invoice (connection_uuid);
    `);
  }

  override down(): void {
    this.addSql('drop table missing_invoice');
    this.addSql('drop index transaction_supplier');
    this.addSql('alter table transaction drop column supplier_key');
    this.addSql('alter table environment drop column expected_documents, drop column expected_documents_checked_at');
  }
}
