import { Migration } from '@mikro-orm/migrations';

/** Connections and the times of their fetches. Due connections are found by partial indexes, at a cost of what is due. */
export class CreateConnections extends Migration {
  override up(): void {
    this.addSql(`
      create table connection (
        uuid uuid not null,
        environment_uuid uuid not null,
        identity_uuid uuid not null,
        integration_id text not null,
        name text not null,

        -- Step 1, step 2, and the labels that were chosen from.
        settings jsonb not null,
        secrets bytea null,
        -- Fingerprints of certificates and host keys that the user has accepted, by "host:port".
        trusted_fingerprints jsonb null,
        step2 jsonb not null,
        step2_fields jsonb not null,
        display_values jsonb not null,
        startdate date null,
        -- The start date cannot be moved before the day of the migration (decisions 4).
        migrated_on date null,
        account_id text null,
        account_display text null,
        cursor jsonb null,

        -- The facts from which status and health are derived.
        disabled_at timestamptz(3) null,
        setup_completed_at timestamptz(3) null,
        credentials_suspect_at timestamptz(3) null,
        credentials_rejected_at timestamptz(3) null,
        failing_since timestamptz(3) null,
        failure_reason text null,
        consecutive_failures integer not null,
        last_success_at timestamptz(3) null,
        -- Since when a success is awaited, or the last success before the last claim: the end of a fetch does not write this index again.
        awaiting_success_since timestamptz(3) null,
        overdue_since timestamptz(3) null,

        next_fetch_at timestamptz(3) null,
        immediate_fetch_at timestamptz(3) null,
        immediate_fetch_trigger text null check (immediate_fetch_trigger in ('INITIAL', 'RECOVERY')),
        last_fetch jsonb null,
        -- The lease of the running fetch.
        lease_token uuid null,
        leased_until timestamptz(3) null,
        failed_documents integer not null default 0,
        -- The month in which the connection was last counted in monthly_usage.
        counted_month date null,

        -- Its own webhook is a registration like any other.
        webhook_uuid uuid null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (uuid, environment_uuid),
        foreign key (identity_uuid, environment_uuid) references identity (uuid, environment_uuid) on delete cascade
      )
      -- Every fetch updates its row twice, so dead rows are removed early, and the new version has room in the same page: the end of a
      -- fetch changes no column of an index and writes only this page then.
      with (autovacuum_vacuum_scale_factor = 0.01, fillfactor = 70);
      create index connection_identity on connection (identity_uuid, uuid);

      -- Due connections: of all environments, and of one environment, so that each gets its share.
      create index connection_due on connection (next_fetch_at) where next_fetch_at is not null;
      create index connection_immediate on connection (immediate_fetch_at) where immediate_fetch_at is not null;
      create index connection_due_by_environment on connection (environment_uuid, next_fetch_at)
        where next_fetch_at is not null;
      create index connection_immediate_by_environment on connection (environment_uuid, immediate_fetch_at)
        where immediate_fetch_at is not null;

      -- Connections that may be overdue.
      create index connection_awaiting_success on connection (environment_uuid, awaiting_success_since)
        where awaiting_success_since is not null and overdue_since is null;
    `);
  }

  override down(): void {
    this.addSql('drop table connection');
  }
}
