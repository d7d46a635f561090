import { Migration } from '@mikro-orm/migrations';

/** Only what business never sees: keys, rate limits, facts that happened, the audit log. */
export class CreatePlatform extends Migration {
  override up(): void {
    this.addSql(`
      create table data_key (
        owner_uuid uuid primary key,
        master_key_id text not null,
        wrapped bytea not null,
        created_at timestamptz(3) not null
      );

      create table throttle (
        key text primary key,
        hits timestamptz[] not null,
        refused boolean not null default false,
        expires_at timestamptz not null
      );
      create index throttle_expires_at on throttle (expires_at);

      create table outbox (
        uuid uuid primary key,
        environment_uuid uuid not null,
        subject_uuid uuid not null,
        type text not null,
        data jsonb not null,
        created_at timestamptz(3) not null
      );
      create index outbox_subject on outbox (subject_uuid, uuid);

      create table audit_log (
        uuid uuid primary key,
        environment_uuid uuid null,
        actor text not null,
        action text not null,
        subject_uuid uuid null,
        details jsonb not null,
        created_at timestamptz(3) not null
      );
      create index audit_log_environment on audit_log (environment_uuid, uuid);
      create function refuse_change() returns trigger language plpgsql as
        $$ begin raise exception 'The audit log is append-only.'; end $$;
      create trigger audit_log_is_append_only before update or delete or truncate on audit_log
        for each statement execute function refuse_change();
    `);
  }

  override down(): void {
    this.addSql('drop table audit_log, outbox, throttle, data_key');
    this.addSql('drop function refuse_change');
  }
}
