import { Migration } from '@mikro-orm/migrations';

/** OAuth at providers: authorization flows in progress, grants, and tokens that have to be revoked. */
export class CreateOAuth extends Migration {
  override up(): void {
    this.addSql(`
      create table oauth_grant (
        connection_uuid uuid not null,
        environment_uuid uuid not null,
        integration_id text not null,
        account_digest bytea not null,
        tokens bytea not null,
        revocation_token bytea null,
        scopes jsonb not null,
        refresh_due_at timestamptz(3) null,
        expires_at timestamptz(3) null,
        refresh_rejected_at timestamptz(3) null,
        generation integer not null,
        lease_token uuid null,
        leased_until timestamptz(3) null,
        granted_at timestamptz(3) not null,
        primary key (connection_uuid, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      -- Before a revocation: whether another connection still uses the account.
      create index oauth_grant_account on oauth_grant (integration_id, account_digest);

      create table oauth_flow (
        uuid uuid not null,
        environment_uuid uuid not null,
        connection_uuid uuid not null,
        actor text not null,
        -- A flow ends with the API key or the sessions by which it began.
        key_uuid uuid null,
        session_generation integer null,
        scopes jsonb not null,
        link_digest bytea not null,
        -- A flow that began in the hosted UI belongs to that browser.
        page_digest bytea null,
        browser_digest bytea null,
        state_digest bytea null,
        popup_digest bytea null,
        popup_expires_at timestamptz(3) null,
        secrets bytea not null,
        resume_digest bytea null,
        outcome text null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        confirmed_at timestamptz(3) null,
        callback_at timestamptz(3) null,
        primary key (uuid, environment_uuid),
        unique (link_digest, environment_uuid),
        unique (resume_digest, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create index oauth_flow_connection on oauth_flow (connection_uuid);
      create index oauth_flow_expiry on oauth_flow (expires_at);

      -- Refers neither to the connection nor to its identity: they have been deleted.
      create table oauth_revocation (
        uuid uuid not null default gen_random_uuid(),
        environment_uuid uuid not null references environment (uuid) on delete cascade,
        integration_id text not null,
        account_digest bytea not null,
        revocation_token bytea not null,
        attempts integer not null default 0,
        due_at timestamptz(3) not null default now(),
        primary key (uuid, environment_uuid)
      );
      create index oauth_revocation_due on oauth_revocation (due_at);
    `);
  }

  override down(): void {
    this.addSql('drop table oauth_revocation, oauth_flow, oauth_grant');
  }
}
