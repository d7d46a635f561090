import { Migration } from '@mikro-orm/migrations';

/** Stored responses of requests with an Idempotency-Key (decisions 1). */
export class CreateIdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_key (
        -- The environment, or the identity of a UI token.
        scope_uuid uuid not null,
        key text not null,
        environment_uuid uuid not null references environment (uuid) on delete cascade,
        fingerprint bytea not null,
        lease_token uuid not null,
        leased_until timestamptz(3) not null,
        committed_at timestamptz(3) null,
        responded_at timestamptz(3) null,
        response bytea null,
        -- The resources that the response contains.
        resource_uuids uuid[] not null default '{}',
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        primary key (scope_uuid, key, environment_uuid)
      );
      create index idempotency_key_expires_at on idempotency_key (expires_at);
      create index idempotency_key_resources on idempotency_key using gin (resource_uuids);
    `);
  }

  override down(): void {
    this.addSql('drop table idempotency_key');
  }
}
