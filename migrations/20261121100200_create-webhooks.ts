import { Migration } from '@mikro-orm/migrations';

/**
 * Registrations, and a row for each event that a registration hears of. What waits is found by partial indexes: looking
 * for it costs what waits, not what has been sent.
 */
export class CreateWebhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook (
        uuid uuid primary key,
        environment_uuid uuid not null references environment (uuid) on delete cascade,
        connection_uuid uuid null references connection (uuid) on delete cascade,
        url text not null,
        events jsonb not null,
        secrets bytea not null,
        disabled_at timestamptz(3) null,
        disabled_reason text null check (disabled_reason in ('BY_CLIENT', 'FAILING')),
        consecutive_failures integer not null,
        failing_since timestamptz(3) null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        check ((disabled_at is null) = (disabled_reason is null))
      );
      create index webhook_of_environment on webhook (environment_uuid, uuid) where connection_uuid is null;
      create unique index webhook_of_connection on webhook (connection_uuid) where connection_uuid is not null;

      create trigger webhook_forgets_answers after delete on webhook
        for each row execute function forget_answers();

      -- A connection's own webhook is a registration like any other.
      alter table connection drop column webhook_url, drop column webhook_events, add column webhook_uuid uuid null;

      -- What happened before anybody could subscribe to it is nobody's news.
      alter table outbox add column dispatched_at timestamptz(3) null;
      update outbox set dispatched_at = created_at;
      create index outbox_undispatched on outbox (uuid) where dispatched_at is null;

      create table webhook_delivery (
        uuid uuid primary key,
        webhook_uuid uuid not null references webhook (uuid) on delete cascade,
        event_uuid uuid null references outbox (uuid) on delete cascade,
        type text not null,
        state text not null check (state in ('WAITING', 'SENDING', 'DELIVERED', 'FAILED')),
        created_at timestamptz(3) not null,
        sent_at timestamptz(3) null,
        duration_ms integer null,
        status integer null,
        error_code text null,
        response_excerpt text null
      );
      create index webhook_delivery_log on webhook_delivery (webhook_uuid, uuid);
      create index webhook_delivery_waiting on webhook_delivery (webhook_uuid, uuid) where state = 'WAITING';
      create index webhook_delivery_sending on webhook_delivery (sent_at) where state = 'SENDING';
      create index webhook_delivery_created on webhook_delivery (created_at);
      create unique index webhook_delivery_event on webhook_delivery (event_uuid, webhook_uuid);
    `);
  }

  override down(): void {
    this.addSql('drop table webhook_delivery, webhook');
    this.addSql('drop index outbox_undispatched');
    this.addSql('alter table outbox drop column dispatched_at');
    this.addSql(
      `alter table connection drop column webhook_uuid, add column webhook_url text null,
         add column webhook_events jsonb not null default '[]'`,
    );
  }
}
