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
        primary key (scope_uuid, key)
      );
      create index idempotency_key_expires_at on idempotency_key (expires_at);
      create index idempotency_key_resources on idempotency_key using gin (resource_uuids);

      -- For triggers of every table with a column "uuid" that responses may contain. The row stays without its response until
      -- it expires: a late retry of the request that created a connection must not create it again.
      create function clear_stored_responses() returns trigger language plpgsql as $$
      begin
        update idempotency_key set response = null, resource_uuids = '{}' where resource_uuids @> array[old.uuid];
        return null;
      end $$;
      create trigger trg_identity_clear_stored_responses after delete on identity
        for each row execute function clear_stored_responses();

      -- No UI token of a deleted identity is valid, so its keys cannot be used again.
      create function delete_idempotency_keys() returns trigger language plpgsql as $$
      begin
        delete from idempotency_key where scope_uuid = old.uuid;
        return null;
      end $$;
      create trigger trg_identity_delete_idempotency_keys after delete on identity
        for each row execute function delete_idempotency_keys();
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger trg_identity_delete_idempotency_keys on identity;
      drop trigger trg_identity_clear_stored_responses on identity;
      drop function delete_idempotency_keys, clear_stored_responses;
      drop table idempotency_key;
    `);
  }
}
