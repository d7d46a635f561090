import { Migration } from '@mikro-orm/migrations';

/**
 * What a deletion left behind: the uuid in the rows of idempotency keys, and jobs of the engine. The rows of keys stay, empty,
 * until they expire: a late retry of the request that made a connection must not make it again.
 */
export class DeleteTraces extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function forget_answers() returns trigger language plpgsql as
        $$ begin
          update idempotency_key set answer = null, about = '{}' where about @> array[old.uuid];
          return null;
        end $$;
      update idempotency_key set about = '{}' where answer is null and answered_at is not null;

      -- No token of the identity exists any more, so nobody can use its keys again.
      create function forget_keys() returns trigger language plpgsql as
        $$ begin
          delete from idempotency_key where scope_uuid = old.uuid;
          return null;
        end $$;
      create trigger identity_forgets_keys after delete on identity for each row execute function forget_keys();

      -- Once per statement, as a look at the jobs costs what there are of them. A job that a worker has at this moment is left
      -- to it; it ends at once and is removed with the other finished ones.
      create function delete_jobs() returns trigger language plpgsql as
        $$ begin
          delete from pgboss.job where id in (
            select j.id from pgboss.job j join gone on j.singleton_key = gone.uuid::text
            where j.state <> 'active' for update of j skip locked);
          return null;
        end $$;
      create trigger connection_deletes_jobs after delete on connection referencing old table as gone
        for each statement execute function delete_jobs();
      create trigger webhook_deletes_jobs after delete on webhook referencing old table as gone
        for each statement execute function delete_jobs();
      create trigger redelivery_deletes_jobs after delete on redelivery referencing old table as gone
        for each statement execute function delete_jobs();
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger redelivery_deletes_jobs on redelivery;
      drop trigger webhook_deletes_jobs on webhook;
      drop trigger connection_deletes_jobs on connection;
      drop function delete_jobs;
      drop trigger identity_forgets_keys on identity;
      drop function forget_keys;
      create or replace function forget_answers() returns trigger language plpgsql as
        $$ begin
          update idempotency_key set answer = null where about @> array[old.uuid] and answer is not null;
          return null;
        end $$;
    `);
  }
}
