import { Migration } from '@mikro-orm/migrations';

/** Acknowledging and delivering again; and the indexes that their filters, the feed's and the audit list's need. */
export class CreateRedeliveries extends Migration {
  override up(): void {
    this.addSql(`
      alter table transaction
        add column acknowledged_at timestamptz(3) null,
        add column attempts_before integer not null default 0;
      create index transaction_status on transaction (environment_uuid, status, uuid);
      create index transaction_identity on transaction (identity_uuid, position) where position is not null;

      create table redelivery (
        uuid uuid primary key,
        environment_uuid uuid not null references environment (uuid) on delete cascade,
        identity_uuid uuid null references identity (uuid) on delete cascade,
        connection_uuid uuid null references connection (uuid) on delete cascade,
        integration_id text null,
        status text not null,
        created_from timestamptz(3) null,
        created_to timestamptz(3) null,
        "after" uuid null,
        requested_at timestamptz(3) not null,
        finished_at timestamptz(3) null
      );
      create index redelivery_open on redelivery (uuid) where finished_at is null;

      create index audit_log_created_at on audit_log (created_at, uuid);
    `);
  }

  override down(): void {
    this.addSql(`
      drop index audit_log_created_at, transaction_status, transaction_identity;
      drop table redelivery;
      alter table transaction drop column acknowledged_at, drop column attempts_before;
    `);
  }
}
