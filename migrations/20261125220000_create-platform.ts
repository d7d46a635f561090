import { Migration } from '@mikro-orm/migrations';

/** Tables that every module uses: data keys, events and the audit log. */
export class CreatePlatform extends Migration {
  override up(): void {
    this.addSql(`
      -- One key for each connection and each environment, wrapped by a master key. No foreign key leads to the owner:
      -- deleting the key makes everything that it encrypts unreadable, whatever else is left.
      create table data_key (
        owner_uuid uuid not null,
        environment_uuid uuid not null,
        master_key_id text not null,
        wrapped_key bytea not null,
        created_at timestamptz(3) not null,
        primary key (owner_uuid, environment_uuid)
      );

      -- Events: recorded in the transaction that makes them true, dispatched to webhooks afterwards.
      create table outbox (
        uuid uuid not null,
        environment_uuid uuid not null,
        retention_class text not null,
        subject_uuid uuid not null,
        type text not null,
        data jsonb not null,
        position bigint null,
        created_at timestamptz(3) not null,
        dispatched_at timestamptz(3) null,
        primary key (uuid, environment_uuid, retention_class)
      ) partition by list (retention_class);
      create table outbox_short partition of outbox for values in ('SHORT') partition by range (uuid);
      create table outbox_standard partition of outbox for values in ('STANDARD') partition by range (uuid);
      create table outbox_long partition of outbox for values in ('LONG') partition by range (uuid);
      create index outbox_subject on outbox (subject_uuid, uuid);

      -- The timeline of a connection reads newest first, from any time on.
      create index outbox_timeline on outbox (subject_uuid, created_at, uuid) where type <> 'fetch.finished';

      -- Ordered by environment: one query takes a few events of each, however many one environment has.
      create index outbox_undispatched on outbox (environment_uuid, uuid) where dispatched_at is null;

      -- The feed of events, in the order of positions. An event gets its position when its environment's feed is read, so
      -- environments that do not read it cost no index entry here. The sequence makes positions unique.
      create sequence outbox_position_seq;
      create index outbox_feed on outbox (environment_uuid, position) where position is not null;
      create index outbox_feed_type on outbox (environment_uuid, type, position) where position is not null;
      create index outbox_feed_subject on outbox (subject_uuid, position) where position is not null;
      create index outbox_without_position on outbox (environment_uuid, uuid)
        where position is null and dispatched_at is not null;

      create table audit_log (
        uuid uuid not null,
        -- Null: an action of the operator that concerns the whole installation.
        environment_uuid uuid null,
        actor text not null,
        action text not null,
        subject_uuid uuid null,
        details jsonb not null,
        created_at timestamptz(3) not null
      ) partition by range (uuid);
      create unique index audit_log_environment on audit_log (environment_uuid, uuid) nulls not distinct;
      create index audit_log_created_at on audit_log (created_at, uuid);

      -- "POST /v1/ui/return" looks up the identity of a deleted connection.
      create index audit_log_subject on audit_log (subject_uuid, uuid);

      create function reject_audit_log_change() returns trigger language plpgsql as
        $$ begin raise exception 'The audit log is append-only.'; end $$;
      -- For each row, so that it also applies to a statement that names a partition.
      create trigger trg_audit_log_reject_change before update or delete on audit_log
        for each row execute function reject_audit_log_change();
      create trigger trg_audit_log_reject_truncate before truncate on audit_log
        for each statement execute function reject_audit_log_change();
    `);
  }

  override down(): void {
    this.addSql(`
      drop table audit_log, outbox, data_key;
      drop function reject_audit_log_change;
      drop sequence outbox_position_seq;
    `);
  }
}
