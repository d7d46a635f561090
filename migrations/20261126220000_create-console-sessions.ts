import { Migration } from '@mikro-orm/migrations';

/** Access to the console: links that are used once, and the sessions that they or API keys open. */
export class CreateConsoleSessions extends Migration {
  override up(): void {
    this.addSql(`
      create table console_link (
        -- SHA-256 of the secret in the link.
        digest bytea not null,
        environment_uuid uuid not null references environment (uuid),
        role text not null check (role in ('DEVELOPER', 'SUPPORT')),
        created_by text not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        used_at timestamptz(3) null,
        primary key (digest, environment_uuid)
      );
      create index console_link_expires_at on console_link (expires_at);

      create table console_session (
        uuid uuid not null,
        -- For a developer the only environment, for the support team the one that is shown first.
        environment_uuid uuid not null references environment (uuid),
        -- SHA-256 of the secret in the cookie.
        digest bytea not null,
        role text not null check (role in ('DEVELOPER', 'SUPPORT')),
        opened_by text not null,
        key_uuid uuid null,
        user_agent text null,
        created_at timestamptz(3) not null,
        last_used_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        revoked_at timestamptz(3) null,
        primary key (uuid, environment_uuid),
        unique (digest, environment_uuid),
        foreign key (key_uuid, environment_uuid) references api_key (uuid, environment_uuid),
        -- A key belongs to one environment, so what it opens is limited to it.
        check (key_uuid is null or role = 'DEVELOPER')
      );
      create index console_session_environment on console_session (environment_uuid);
      create index console_session_expires_at on console_session (expires_at);
    `);
  }

  override down(): void {
    this.addSql('drop table console_session, console_link');
  }
}
