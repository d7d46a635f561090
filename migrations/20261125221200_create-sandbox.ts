import { Migration } from '@mikro-orm/migrations';

/** The provider's side of sandbox connections: documents that clients have added, and consents that users have given. */
export class CreateSandbox extends Migration {
  override up(): void {
    this.addSql(`
      create table sandbox_document_batch (
        connection_uuid uuid not null,
        environment_uuid uuid not null,
        number integer not null,
        first integer not null,
        count integer not null,
        document_type text not null,
        format text not null,
        has_external_id boolean not null,
        day date not null,
        primary key (connection_uuid, number, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );

      create table sandbox_consent (
        uuid uuid not null,
        environment_uuid uuid not null,
        connection_uuid uuid not null,
        account text not null,
        scopes jsonb not null,
        redirect_uri text not null,
        code_challenge text not null,
        code_digest bytea not null,
        code_expires_at timestamptz(3) not null,
        code_used_at timestamptz(3) null,
        access_digest bytea null,
        access_expires_at timestamptz(3) null,
        refresh_digest bytea null,
        is_affected boolean not null,
        revoked_at timestamptz(3) null,
        created_at timestamptz(3) not null,
        primary key (uuid, environment_uuid),
        unique (code_digest, environment_uuid),
        unique (access_digest, environment_uuid),
        unique (refresh_digest, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create index sandbox_consent_connection on sandbox_consent (connection_uuid);
    `);
  }

  override down(): void {
    this.addSql('drop table sandbox_consent, sandbox_document_batch');
  }
}
