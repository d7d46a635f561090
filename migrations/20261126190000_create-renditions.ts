import { Migration } from '@mikro-orm/migrations';

/** Further forms in which an invoice was received, beside the document of its transaction. */
export class CreateRenditions extends Migration {
  override up(): void {
    this.addSql(`
      create table rendition (
        uuid uuid not null,
        environment_uuid uuid not null,
        connection_uuid uuid not null,
        transaction_uuid uuid not null,
        dedupe_key text not null,
        filename text not null,
        mime_type text not null,
        size bigint not null,
        sha256 text not null,
        -- Null once the content has been purged, together with that of the transaction.
        content_uuid uuid null,
        content_chunks integer not null,
        created_at timestamptz(3) not null,
        primary key (uuid, environment_uuid),
        foreign key (transaction_uuid, environment_uuid) references transaction (uuid, environment_uuid) on delete cascade
      );
      create unique index rendition_dedupe on rendition (connection_uuid, dedupe_key, environment_uuid);
      create index rendition_transaction on rendition (transaction_uuid);

      -- Finds the other forms of an invoice within a fetch. Numbers may be longer than an index allows.
      create index transaction_number on transaction (connection_uuid, fetch_uuid, md5(metadata ->> 'number'))
        where metadata ->> 'number' is not null;
    `);
  }

  override down(): void {
    this.addSql('drop index transaction_number');
    this.addSql('drop table rendition');
  }
}
