import { Migration } from '@mikro-orm/migrations';

/** Tenants, their API keys and their identities. */
export class CreateEnvironments extends Migration {
  override up(): void {
    this.addSql(`
      create table environment (
        uuid uuid primary key,
        client_name text not null,
        name text not null,
        kind text not null check (kind in ('LIVE', 'TEST')),

        fetch_interval_minutes integer not null check (fetch_interval_minutes >= 5),
        -- Set when the interval is shortened; cleared once the next fetch times have been brought forward.
        interval_shortened_at timestamptz(3) null,

        strategy text not null check (strategy in ('PUSH', 'WEBHOOK', 'POLLING')),
        provisioning_url text null,
        client_auth text not null check (client_auth in ('NONE', 'BEARER', 'QUERY', 'HEADER')),
        client_auth_secret bytea null,
        -- Incremented with every other URL or authentication, so that late responses of the former endpoint do not count for the new one.
        endpoint_version integer not null default 0,
        signing_secrets bytea not null,
        push_limit_bytes bigint not null,

        retention_delivered_days integer not null check (retention_delivered_days between 0 and 3650),
        retention_days integer not null check (retention_days between 0 and 3650),
        -- How long the history is kept. Rows keep the class that they were written with.
        retention_class text not null check (retention_class in ('SHORT', 'STANDARD', 'LONG')),

        -- By default, no page may embed the hosted UI or call the API.
        return_origins jsonb not null,
        embedding_origins jsonb not null default '[]',
        browser_origins jsonb not null default '[]',
        theme jsonb not null,

        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index environment_interval_shortened on environment (interval_shortened_at)
        where interval_shortened_at is not null;

      -- Answers whether any environment allows an origin.
      create index environment_browser_origins on environment using gin (browser_origins jsonb_path_ops);

      -- Several keys may be valid at the same time, so that they can be rotated. Only their digests are stored.
      create table api_key (
        uuid uuid not null,
        environment_uuid uuid not null references environment (uuid),
        digest text not null,
        prefix text not null,
        last_four text not null,
        created_at timestamptz(3) not null,
        last_used_at timestamptz(3) null,
        expires_at timestamptz(3) null,
        revoked_at timestamptz(3) null,
        primary key (uuid, environment_uuid),
        unique (digest, environment_uuid)
      );
      create index api_key_environment on api_key (environment_uuid);

      create table identity (
        uuid uuid not null,
        environment_uuid uuid not null references environment (uuid),
        client_identifier text not null,
        display_name text null,
        type text null check (type in ('USER', 'COMPANY', 'ACCOUNT')),
        metadata jsonb not null,
        -- UI tokens contain this number: incrementing it ends the sessions of the identity.
        session_generation integer not null default 0,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (uuid, environment_uuid)
      );
      create unique index identity_client_identifier on identity (environment_uuid, client_identifier);
    `);
  }

  override down(): void {
    this.addSql('drop table identity, api_key, environment');
  }
}
