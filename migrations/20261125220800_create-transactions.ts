import { Migration } from '@mikro-orm/migrations';

/** Recorded documents, their feed and their delivery. */
export class CreateTransactions extends Migration {
  override up(): void {
    this.addSql(`
      create table transaction (
        uuid uuid not null,
        environment_uuid uuid not null,
        identity_uuid uuid not null,
        connection_uuid uuid not null,
        fetch_uuid uuid not null,
        integration_id text not null,

        document_type text not null,
        external_id text null,
        dedupe_key text not null,
        filename text not null,
        mime_type text not null,
        size bigint not null,
        sha256 text not null,
        metadata jsonb not null,

        -- Null once the content has been purged.
        content_uuid uuid null,
        content_chunks integer not null,
        available_until timestamptz(3) null,

        strategy text not null check (strategy in ('PUSH', 'WEBHOOK', 'POLLING')),
        status text not null,
        due_at timestamptz(3) null,
        -- Redelivered with many others: new documents are sent first.
        low_priority boolean not null default false,
        attempts integer not null,
        prior_attempts integer not null default 0,
        restarted_at timestamptz(3) null,
        last_attempt_at timestamptz(3) null,
        last_error jsonb null,
        settled_at timestamptz(3) null,
        acknowledged_at timestamptz(3) null,
        -- Kept to recognize an acknowledgement that is repeated.
        acknowledged_message text null,

        position bigint null,
        created_at timestamptz(3) not null,
        primary key (uuid, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create unique index transaction_dedupe on transaction (connection_uuid, dedupe_key, environment_uuid);
      create index transaction_status on transaction (environment_uuid, status, uuid);

      -- Many documents may be due at the same time: with "uuid", the next few are read from the index in their order.
      create index transaction_due on transaction (environment_uuid, low_priority, due_at, uuid) where due_at is not null;

      -- A half-open circuit is tried with the document that has the fewest attempts.
      create index transaction_trial on transaction (environment_uuid, (attempts - prior_attempts), due_at, uuid)
        where due_at is not null;

      -- Purging looks at what is due, not at what exists.
      create index transaction_retention on transaction (available_until) where content_uuid is not null;

      -- The feed, in the order of positions. A transaction gets its position when its environment's feed is read, so
      -- environments that do not poll cost no index entry here. Each filter has its index: a poll for what is rare must not
      -- read the whole feed. External ids may be longer than an index allows, so their digests are indexed.
      create sequence transaction_position_seq;
      create unique index transaction_position on transaction (environment_uuid, position) where position is not null;
      create index transaction_without_position on transaction (environment_uuid, uuid) where position is null;
      create index transaction_identity on transaction (identity_uuid, position) where position is not null;
      create index transaction_feed_connection on transaction (connection_uuid, position) where position is not null;
      create index transaction_feed_status on transaction (environment_uuid, status, position) where position is not null;
      create index transaction_feed_type on transaction (environment_uuid, document_type, position)
        where position is not null;
      create index transaction_feed_external_id on transaction (environment_uuid, md5(external_id), position)
        where position is not null and external_id is not null;

      -- The timeline of a connection reads newest first, from any time on.
      create index transaction_settled on transaction (connection_uuid, settled_at, uuid) where settled_at is not null;
      create index transaction_retrying on transaction (connection_uuid, last_attempt_at, uuid)
        where due_at is not null and last_error is not null;

      -- Versions of files that have been read, for sources whose documents are identified by content: a hash of name, size
      -- and time of the last change. Rows are only added.
      create table seen_version (
        connection_uuid uuid not null,
        environment_uuid uuid not null,
        dedupe_key text not null,
        fetch_uuid uuid not null,
        primary key (connection_uuid, dedupe_key, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
    `);
  }

  override down(): void {
    this.addSql('drop table seen_version, transaction');
    this.addSql('drop sequence transaction_position_seq');
  }
}
