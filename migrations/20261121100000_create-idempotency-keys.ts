import { Migration } from '@mikro-orm/migrations';

/** The answers that a repeated POST gets again (decisions 1). */
export class CreateIdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_key (
        scope_uuid uuid not null,
        key text not null,
        environment_uuid uuid not null references environment (uuid) on delete cascade,
        fingerprint bytea not null,
        lease uuid not null,
        leased_until timestamptz(3) not null,
        committed_at timestamptz(3) null,
        answered_at timestamptz(3) null,
        answer bytea null,
        about uuid[] not null default '{}',
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        primary key (scope_uuid, key)
      );
      create index idempotency_key_expires_at on idempotency_key (expires_at);
      create index idempotency_key_about on idempotency_key using gin (about);

      -- What is deleted is not told again. For every table with a column "uuid" that answers may be about.
      create function forget_answers() returns trigger language plpgsql as
        $$ begin
          update idempotency_key set answer = null where about @> array[old.uuid] and answer is not null;
          return null;
        end $$;
      create trigger connection_forgets_answers after delete on connection
        for each row execute function forget_answers();
      create trigger identity_forgets_answers after delete on identity
        for each row execute function forget_answers();
    `);
  }

  override down(): void {
    this.addSql('drop trigger connection_forgets_answers on connection');
    this.addSql('drop trigger identity_forgets_answers on identity');
    this.addSql('drop function forget_answers');
    this.addSql('drop table idempotency_key');
  }
}
