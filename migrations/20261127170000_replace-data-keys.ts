import { Migration } from '@mikro-orm/migrations';

/** Data keys can be replaced: what the former ones have encrypted is found by their versions, and encrypted again. */
export class ReplaceDataKeys extends Migration {
  override up(): void {
    this.addSql(`
      -- The version of the data key that a ciphertext names; none: the first one.
      create function ciphertext_key_version(ciphertext bytea) returns integer language sql immutable strict parallel safe as $$
        select case when length(ciphertext) >= 8 and substring(ciphertext for 4) = '\\x44464b56'::bytea
          then ('x' || encode(substring(ciphertext from 5 for 4), 'hex'))::bit(32)::integer else 1 end
      $$;
      -- Which rows of an environment still need a version. The tables of connections have few rows for each of them.
      create index webhook_key_version on webhook (environment_uuid, ciphertext_key_version(secrets));
      create index idempotency_key_key_version on idempotency_key (environment_uuid, ciphertext_key_version(response))
        where response is not null;
      create index oauth_grant_key_version on oauth_grant (environment_uuid, ciphertext_key_version(revocation_token))
        where revocation_token is not null;
      create index oauth_revocation_key_version on oauth_revocation (environment_uuid, ciphertext_key_version(revocation_token));

      -- The next step of the replacement: a successor becomes the current version, a former one is looked for and destroyed.
      alter table data_key_version add column due_at timestamptz(3) not null default now();
      create index data_key_version_due on data_key_version (due_at);

      -- Objects in the bucket are being written: like those of an incomplete content, they are deleted a day later.
      alter table content add column reencrypting_until timestamptz(3) null;
      create or replace function queue_object_deletion() returns trigger language plpgsql as $$
      begin
        insert into object_deletion_queue (content_uuid, environment_uuid, location, chunks, tail_from, due_at)
        select uuid, environment_uuid, location, chunks, tail_from,
          case when chunks = 0 or reencrypting_until is not null then now() + interval '1 day' else now() end
        from deleted where location is not null;
        return null;
      end $$;
    `);
  }

  override down(): void {
    this.addSql(`
      create or replace function queue_object_deletion() returns trigger language plpgsql as $$
      begin
        insert into object_deletion_queue (content_uuid, environment_uuid, location, chunks, tail_from, due_at)
        select uuid, environment_uuid, location, chunks, tail_from,
          case when chunks = 0 then now() + interval '1 day' else now() end
        from deleted where location is not null;
        return null;
      end $$;
      alter table content drop column reencrypting_until;
      alter table data_key_version drop column due_at;
      drop index webhook_key_version, idempotency_key_key_version, oauth_grant_key_version, oauth_revocation_key_version;
      drop function ciphertext_key_version;
    `);
  }
}
