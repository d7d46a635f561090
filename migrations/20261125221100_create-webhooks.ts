import { Migration } from '@mikro-orm/migrations';

/** Webhook registrations, and one row for each event that a registration receives. */
export class CreateWebhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook (
        uuid uuid not null,
        environment_uuid uuid not null references environment (uuid) on delete cascade,
        -- Null: it receives the events of the whole environment.
        connection_uuid uuid null,
        url text not null,
        events jsonb not null,
        secrets bytea not null,
        disabled_at timestamptz(3) null,
        disabled_reason text null check (disabled_reason in ('BY_CLIENT', 'FAILING')),
        consecutive_failures integer not null,
        failing_since timestamptz(3) null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        check ((disabled_at is null) = (disabled_reason is null)),
        primary key (uuid, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create index webhook_of_environment on webhook (environment_uuid, uuid) where connection_uuid is null;
      create unique index webhook_of_connection on webhook (connection_uuid, environment_uuid)
        where connection_uuid is not null;

      create table webhook_delivery (
        uuid uuid not null,
        environment_uuid uuid not null,
        retention_class text not null,
        webhook_uuid uuid not null,
        -- Null: a test. Deleted with its event by "delete-connections.ts".
        event_uuid uuid null,
        type text not null,
        state text not null check (state in ('WAITING', 'SENDING', 'DELIVERED', 'FAILED')),
        resent boolean not null default false,
        created_at timestamptz(3) not null,
        sent_at timestamptz(3) null,
        duration_ms integer null,
        status integer null,
        error_code text null,
        response_excerpt text null,
        primary key (uuid, environment_uuid, retention_class),
        foreign key (webhook_uuid, environment_uuid) references webhook (uuid, environment_uuid) on delete cascade
      ) partition by list (retention_class);
      create table webhook_delivery_short partition of webhook_delivery for values in ('SHORT') partition by range (uuid);
      create table webhook_delivery_standard partition of webhook_delivery for values in ('STANDARD') partition by range (uuid);
      create table webhook_delivery_long partition of webhook_delivery for values in ('LONG') partition by range (uuid);
      create index webhook_delivery_log on webhook_delivery (webhook_uuid, uuid);
      create index webhook_delivery_of_event on webhook_delivery (event_uuid);

      -- Finding what waits costs what waits, not what has been sent.
      create index webhook_delivery_waiting on webhook_delivery (webhook_uuid, uuid) where state = 'WAITING';
      create index webhook_delivery_sending on webhook_delivery (sent_at) where state = 'SENDING';
    `);
  }

  override down(): void {
    this.addSql('drop table webhook_delivery, webhook');
  }
}
