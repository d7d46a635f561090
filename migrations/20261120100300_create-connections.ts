import { Migration } from '@mikro-orm/migrations';

/** The calendar is a partial index: looking for what is due costs what is due. */
export class CreateConnections extends Migration {
  override up(): void {
    this.addSql(`
      create table connection (
        uuid uuid primary key,
        environment_uuid uuid not null references environment (uuid),
        identity_uuid uuid not null references identity (uuid) on delete cascade,
        integration_id text not null,
        name text not null,
        settings jsonb not null,
        secrets bytea null,
        step2 jsonb not null,
        step2_fields jsonb not null,
        display_values jsonb not null,
        startdate date null,
        account_id text null,
        account_display text null,
        cursor jsonb null,
        disabled_at timestamptz(3) null,
        setup_completed_at timestamptz(3) null,
        credentials_doubted_at timestamptz(3) null,
        credentials_rejected_at timestamptz(3) null,
        failing_since timestamptz(3) null,
        failure_reason text null,
        consecutive_failures integer not null,
        last_success_at timestamptz(3) null,
        next_fetch_at timestamptz(3) null,
        wanted_fetch_at timestamptz(3) null,
        wanted_fetch_trigger text null check (wanted_fetch_trigger in ('INITIAL', 'RECOVERY')),
        last_fetch jsonb null,
        webhook_url text null,
        webhook_events jsonb not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index connection_identity on connection (identity_uuid, uuid);
      create index connection_due on connection (next_fetch_at) where next_fetch_at is not null;
      create index connection_wanted on connection (wanted_fetch_at) where wanted_fetch_at is not null;

      -- The SQL twin of Connection.status, for filters and counts.
      create view connection_status as
        select uuid, identity_uuid, environment_uuid,
          case when disabled_at is not null then 'DISABLED'
               when credentials_rejected_at is not null then 'INVALID_CREDENTIALS'
               when setup_completed_at is null then 'PENDING'
               else 'ACTIVE' end as status
        from connection;
    `);
  }

  override down(): void {
    this.addSql('drop view connection_status');
    this.addSql('drop table connection');
  }
}
