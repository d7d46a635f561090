import { Migration } from '@mikro-orm/migrations';

export class CreateTransactions extends Migration {
  override up(): void {
    this.addSql(`
      create table transaction (
        uuid uuid primary key,
        environment_uuid uuid not null references environment (uuid),
        identity_uuid uuid not null,
        connection_uuid uuid not null references connection (uuid) on delete cascade,
        fetch_uuid uuid not null,
        integration_id text not null,
        document_type text not null,
        external_id text null,
        dedupe_key text not null,
        filename text not null,
        mime_type text not null,
        size bigint not null,
        sha256 text not null,
        content_uuid uuid null,
        content_chunks integer not null,
        metadata jsonb not null,
        available_until timestamptz(3) null,
        strategy text not null check (strategy in ('PUSH', 'WEBHOOK', 'POLLING')),
        status text not null,
        due_at timestamptz(3) null,
        attempts integer not null,
        last_attempt_at timestamptz(3) null,
        last_error jsonb null,
        settled_at timestamptz(3) null,
        position bigint null,
        created_at timestamptz(3) not null
      );
      create unique index transaction_dedupe on transaction (connection_uuid, dedupe_key);
      create index transaction_due on transaction (environment_uuid, due_at) where due_at is not null;
      create unique index transaction_position on transaction (environment_uuid, position) where position is not null;
      create index transaction_unplaced on transaction (environment_uuid, uuid) where position is null;
      create sequence transaction_position_seq;
    `);
  }

  override down(): void {
    this.addSql('drop table transaction');
    this.addSql('drop sequence transaction_position_seq');
  }
}
