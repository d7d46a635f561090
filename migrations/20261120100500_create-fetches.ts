import { Migration } from '@mikro-orm/migrations';

export class CreateFetches extends Migration {
  override up(): void {
    this.addSql(`
      create table fetch_run (
        uuid uuid primary key,
        connection_uuid uuid not null references connection (uuid) on delete cascade,
        environment_uuid uuid not null,
        trigger text not null check (trigger in ('MANUAL', 'SCHEDULED', 'INITIAL', 'RECOVERY')),
        status text not null check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELLED')),
        seen integer not null,
        new integer not null,
        duplicate integer not null,
        filtered integer not null,
        failed integer not null,
        error_code text null,
        lease_token uuid null,
        created_at timestamptz(3) not null,
        started_at timestamptz(3) null,
        finished_at timestamptz(3) null,
        check (seen = new + duplicate + filtered + failed)
      );
      create index fetch_run_connection on fetch_run (connection_uuid, uuid);
      create index fetch_run_open on fetch_run (connection_uuid, uuid) where status in ('QUEUED', 'RUNNING');

      create table failed_document (
        fetch_uuid uuid not null references fetch_run (uuid) on delete cascade,
        dedupe_key text not null,
        connection_uuid uuid not null references connection (uuid) on delete cascade,
        external_id text null,
        filename text not null,
        code text not null,
        ref jsonb not null,
        open boolean not null,
        created_at timestamptz(3) not null,
        primary key (fetch_uuid, dedupe_key)
      );
      create index failed_document_open on failed_document (connection_uuid) where open;
    `);
  }

  override down(): void {
    this.addSql('drop table failed_document, fetch_run');
  }
}
