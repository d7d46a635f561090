import { Migration } from '@mikro-orm/migrations';

/** The history of fetches, documents that could not be read, and the usage that is counted with each fetch. */
export class CreateFetches extends Migration {
  override up(): void {
    this.addSql(`
      -- Fetches that have not ended are in a table of their own, which stays small. The end of a fetch moves it into the history, so a
      -- row is changed only while it is there.
      create table "fetch" (
        uuid uuid not null,
        environment_uuid uuid not null,
        retention_class text not null default 'UNFINISHED',
        connection_uuid uuid not null,
        trigger text not null check (trigger in ('MANUAL', 'SCHEDULED', 'INITIAL', 'RECOVERY')),
        status text not null check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELLED')),
        seen integer not null,
        new integer not null,
        duplicate integer not null,
        filtered integer not null,
        failed integer not null,
        error_code text null,
        -- Workers that have died while they ran the fetch.
        interruptions smallint not null default 0,
        created_at timestamptz(3) not null,
        started_at timestamptz(3) null,
        finished_at timestamptz(3) null,
        check (seen = new + duplicate + filtered + failed),
        check ((retention_class = 'UNFINISHED') = (status in ('QUEUED', 'RUNNING'))),
        primary key (uuid, environment_uuid, retention_class)
      ) partition by list (retention_class);
      -- Every fetch creates, updates and removes its row here, so dead rows are removed early.
      create table fetch_unfinished partition of "fetch" for values in ('UNFINISHED') with (autovacuum_vacuum_scale_factor = 0.01);
      alter table fetch_unfinished add foreign key (connection_uuid, environment_uuid)
        references connection (uuid, environment_uuid) on delete cascade;
      create index fetch_unfinished_status on fetch_unfinished (status, created_at);
      -- Deleted with the connection by "delete-connections.ts": a foreign key would lock the connection for each fetch that ends.
      create table fetch_short partition of "fetch" for values in ('SHORT') partition by range (uuid);
      create table fetch_standard partition of "fetch" for values in ('STANDARD') partition by range (uuid);
      create table fetch_long partition of "fetch" for values in ('LONG') partition by range (uuid);
      create index fetch_connection on "fetch" (connection_uuid, uuid);
      create index fetch_timeline on "fetch" (connection_uuid, finished_at, uuid);

      -- The documents that one fetch could not read; "open" ones are tried again by the next fetch, and may outlive the record of
      -- their own.
      create table fetch_failure (
        fetch_uuid uuid not null,
        environment_uuid uuid not null,
        dedupe_key text not null,
        connection_uuid uuid not null,
        external_id text null,
        filename text not null,
        code text not null,
        ref jsonb not null,
        open boolean not null,
        created_at timestamptz(3) not null,
        primary key (fetch_uuid, dedupe_key, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create index fetch_failure_open on fetch_failure (connection_uuid) where open;
      -- For the cascade from the connection.
      create index fetch_failure_connection on fetch_failure (connection_uuid);

      -- The documents of a connection that no fetch has read so far: one row each, however many fetches have tried.
      create table document_failure (
        uuid uuid not null,
        environment_uuid uuid not null,
        connection_uuid uuid not null,
        dedupe_key text not null,
        external_id text null,
        filename text not null,
        code text not null,
        version text not null,
        attempts integer not null,
        failing_since timestamptz(3) not null,
        dismissed_at timestamptz(3) null,
        primary key (uuid, environment_uuid),
        unique (connection_uuid, dedupe_key, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create index document_failure_listed on document_failure (connection_uuid, uuid) where dismissed_at is null;

      -- What each environment has used in a month (decisions 4). Without foreign keys and personal data, so that it outlives
      -- deleted connections and the retention of the history. Split into shards, because concurrent fetches of an environment
      -- increment the counters at the same time; the free space in the pages allows updates without new index entries.
      create table monthly_usage (
        environment_uuid uuid not null,
        month date not null,
        shard smallint not null,
        connections bigint not null,
        fetches bigint not null,
        documents bigint not null,
        bytes bigint not null,
        primary key (environment_uuid, month, shard)
      ) with (fillfactor = 50);
    `);
  }

  override down(): void {
    this.addSql('drop table monthly_usage, document_failure, fetch_failure, "fetch"');
  }
}
