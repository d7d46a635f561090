import { Migration } from '@mikro-orm/migrations';

/** Authorisations at providers: the consent that is under way, what it brought, and what has to be taken back. */
export class CreateOAuth extends Migration {
  override up(): void {
    this.addSql(`
      create table oauth_grant (
        connection_uuid uuid primary key references connection (uuid) on delete cascade,
        environment_uuid uuid not null references environment (uuid),
        integration_id text not null,
        account_digest bytea not null,
        tokens bytea not null,
        revocation bytea null,
        scopes jsonb not null,
        renew_at timestamptz(3) null,
        expires_at timestamptz(3) null,
        refused_at timestamptz(3) null,
        generation integer not null,
        lease uuid null,
        lease_until timestamptz(3) null,
        granted_at timestamptz(3) not null
      );
      -- Whether an account is still connected, when one of its grants is to be taken back.
      create index oauth_grant_account on oauth_grant (integration_id, account_digest);

      create table oauth_flow (
        uuid uuid primary key,
        connection_uuid uuid not null references connection (uuid) on delete cascade,
        actor text not null,
        scopes jsonb not null,
        link_digest bytea not null unique,
        browser_digest bytea null,
        state_digest bytea null,
        secrets bytea not null,
        resume_digest bytea null unique,
        outcome text null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        answered_at timestamptz(3) null
      );
      create index oauth_flow_connection on oauth_flow (connection_uuid);
      create index oauth_flow_expiry on oauth_flow (expires_at);

      -- Names neither the connection nor its identity: they are gone.
      create table oauth_revocation (
        uuid uuid primary key default gen_random_uuid(),
        environment_uuid uuid not null references environment (uuid) on delete cascade,
        integration_id text not null,
        account_digest bytea not null,
        sealed bytea not null,
        attempts integer not null default 0,
        due_at timestamptz(3) not null default now()
      );
      create index oauth_revocation_due on oauth_revocation (due_at);

      -- A connection may also go with its identity: the database remembers what has to be taken back at the provider.
      create function take_back_grant() returns trigger language plpgsql as $$
      begin
        if old.revocation is not null then
          insert into oauth_revocation (environment_uuid, integration_id, account_digest, sealed)
            values (old.environment_uuid, old.integration_id, old.account_digest, old.revocation);
        end if;
        return null;
      end $$;
      create trigger grant_is_taken_back after delete on oauth_grant for each row execute function take_back_grant();
    `);
  }

  override down(): void {
    this.addSql('drop table oauth_grant, oauth_flow, oauth_revocation');
    this.addSql('drop function take_back_grant');
  }
}
