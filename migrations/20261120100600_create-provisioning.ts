import { Migration } from '@mikro-orm/migrations';

export class CreateProvisioning extends Migration {
  override up(): void {
    this.addSql(`
      create table delivery_attempt (
        uuid uuid primary key,
        transaction_uuid uuid not null references transaction (uuid) on delete cascade,
        number integer not null,
        started_at timestamptz(3) not null,
        duration_ms integer not null,
        status integer null,
        error_code text null,
        response_excerpt text null
      );
      create index delivery_attempt_transaction on delivery_attempt (transaction_uuid, number);

      create table endpoint (
        environment_uuid uuid primary key references environment (uuid) on delete cascade,
        consecutive_failures integer not null,
        held_until timestamptz(3) null
      );
    `);
  }

  override down(): void {
    this.addSql('drop table endpoint, delivery_attempt');
  }
}
