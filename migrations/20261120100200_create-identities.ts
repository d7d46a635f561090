import { Migration } from '@mikro-orm/migrations';

export class CreateIdentities extends Migration {
  override up(): void {
    this.addSql(`
      create table environment (
        uuid uuid primary key,
        client_name text not null,
        name text not null,
        kind text not null check (kind in ('LIVE', 'TEST')),
        fetch_interval_minutes integer not null check (fetch_interval_minutes >= 5),
        strategy text not null check (strategy in ('PUSH', 'WEBHOOK', 'POLLING')),
        provisioning_url text null,
        client_auth text not null check (client_auth in ('NONE', 'BEARER', 'QUERY', 'HEADER')),
        client_auth_secret bytea null,
        signing_secrets bytea not null,
        push_limit_bytes bigint not null,
        retention_delivered_days integer not null check (retention_delivered_days between 0 and 3650),
        retention_days integer not null check (retention_days between 0 and 3650),
        return_origins jsonb not null,
        theme jsonb not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );

      create table identity (
        uuid uuid primary key,
        environment_uuid uuid not null references environment (uuid),
        client_identifier text not null,
        display_name text null,
        type text null check (type in ('USER', 'COMPANY', 'ACCOUNT')),
        metadata jsonb not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create unique index identity_client_identifier on identity (environment_uuid, client_identifier);
    `);
  }

  override down(): void {
    this.addSql('drop table identity, environment');
  }
}
