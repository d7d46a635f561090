import { Migration } from '@mikro-orm/migrations';

/** The provider's side of sandbox connections: documents that clients have added, and consents that users have given. */
export class CreateSandbox extends Migration {
  override up(): void {
    this.addSql(`
      create table sandbox_document_batch (
        connection_uuid uuid not null references connection (uuid) on delete cascade,
        number integer not null,
        first integer not null,
        count integer not null,
        document_type text not null,
        format text not null,
        has_external_id boolean not null,
        day date not null,
        primary key (connection_uuid, number)
      );

      create table sandbox_consent (
        uuid uuid primary key,
        connection_uuid uuid not null references connection (uuid) on delete cascade,
        account text not null,
        scopes jsonb not null,
        redirect_uri text not null,
        code_challenge text not null,
        code_digest bytea not null unique,
        code_expires_at timestamptz(3) not null,
        code_used_at timestamptz(3) null,
        access_digest bytea null unique,
        access_expires_at timestamptz(3) null,
        refresh_digest bytea null unique,
        is_affected boolean not null,
        revoked_at timestamptz(3) null,
        created_at timestamptz(3) not null
      );
      create index sandbox_consent_connection on sandbox_consent (connection_uuid);
    `);
  }

  override down(): void {
    this.addSql('drop table sandbox_consent, sandbox_document_batch');
  }
}
