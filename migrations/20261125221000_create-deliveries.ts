import { Migration } from '@mikro-orm/migrations';

/** Pushes to endpoints: the delivery log, the state of each circuit, and redeliveries. */
export class CreateDeliveries extends Migration {
  override up(): void {
    this.addSql(`
      -- Deleted with its transaction by "delete-connections.ts": a cascade would search all partitions for each document.
      create table delivery_attempt (
        uuid uuid not null,
        environment_uuid uuid not null,
        retention_class text not null,
        transaction_uuid uuid not null,
        number integer not null,
        started_at timestamptz(3) not null,
        duration_ms integer not null,
        status integer null,
        error_code text null,
        response_excerpt text null,
        primary key (uuid, environment_uuid, retention_class)
      ) partition by list (retention_class);
      create table delivery_attempt_short partition of delivery_attempt for values in ('SHORT') partition by range (uuid);
      create table delivery_attempt_standard partition of delivery_attempt
        for values in ('STANDARD') partition by range (uuid);
      create table delivery_attempt_long partition of delivery_attempt for values in ('LONG') partition by range (uuid);
      create index delivery_attempt_transaction on delivery_attempt (transaction_uuid, number);

      -- The circuit of an environment's provisioning URL. No row: the endpoint has not failed so far.
      create table endpoint (
        environment_uuid uuid primary key references environment (uuid) on delete cascade,
        consecutive_failures integer not null,
        failing_since timestamptz(3) null,
        opened_at timestamptz(3) null,
        failed_trials integer not null default 0,
        circuit_open_until timestamptz(3) null,
        -- The end of the pause that the endpoint has requested ("Retry-After").
        retry_after_until timestamptz(3) null,
        -- After a recovery, the backlog is sent at a bounded rate until then.
        catch_up_until timestamptz(3) null,
        failing_events integer not null default 0,
        expire_before timestamptz(3) null,
        last_error jsonb null,
        -- Capacity is reserved for endpoints that respond promptly, and all processes have to know which they are.
        prompt boolean not null default false
      );

      -- When workers were running: documents wait behind an open circuit only during these times.
      create table worker_uptime (
        started_at timestamptz(3) primary key,
        seen_at timestamptz(3) not null
      );

      -- Requests to deliver many transactions again, their filters and their progress ("last_transaction_uuid").
      create table redelivery (
        uuid uuid not null,
        environment_uuid uuid not null references environment (uuid) on delete cascade,
        identity_uuid uuid null,
        connection_uuid uuid null,
        integration_id text null,
        status text not null,
        created_from timestamptz(3) null,
        created_to timestamptz(3) null,
        last_transaction_uuid uuid null,
        requested_at timestamptz(3) not null,
        finished_at timestamptz(3) null,
        primary key (uuid, environment_uuid),
        foreign key (identity_uuid, environment_uuid) references identity (uuid, environment_uuid) on delete cascade,
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create index redelivery_open on redelivery (uuid) where finished_at is null;
      -- For the cascades from the connection and the identity.
      create index redelivery_connection on redelivery (connection_uuid) where connection_uuid is not null;
      create index redelivery_identity on redelivery (identity_uuid) where identity_uuid is not null;
    `);
  }

  override down(): void {
    this.addSql('drop table redelivery, worker_uptime, endpoint, delivery_attempt');
  }
}
