import { Migration } from '@mikro-orm/migrations';

/**
 * What a deletion does besides the cascades of foreign keys. Triggers, because a connection is also deleted by the cascade from
 * its identity, and because the data key must be deleted in the same transaction.
 */
export class CreateDeletionTriggers extends Migration {
  override up(): void {
    this.addSql(`
      -- Row by row, so that each statement is a lookup in an index.
      create function delete_events_and_data_key() returns trigger language plpgsql as $$
      begin
        delete from outbox where subject_uuid = old.uuid;
        delete from data_key where owner_uuid = old.uuid;
        return null;
      end $$;
      create trigger trg_connection_delete_events_and_data_key after delete on connection
        for each row execute function delete_events_and_data_key();

      -- Whoever locks several rows locks them in the order of their uuids. A cascade locks rows in the order in which it finds
      -- them, and would deadlock with such a transaction. Therefore everything that others lock in numbers is locked before
      -- the first row is deleted, in the order that the others use: connections, redeliveries, transactions, events.
      create function lock_connection_dependents(connections uuid[]) returns void language plpgsql as $$
      begin
        perform from redelivery where connection_uuid = any(connections) order by uuid for update;
        perform from transaction where connection_uuid = any(connections) order by uuid for update;
        perform from outbox where subject_uuid = any(connections) order by uuid for update;
      end $$;

      create function lock_before_connection_delete() returns trigger language plpgsql as $$
      begin
        perform lock_connection_dependents(array[old.uuid]);
        -- The limit of fetches on demand has no other link to the connection.
        delete from throttle where key = 'fetch-now:' || old.uuid;
        return old;
      end $$;
      create trigger trg_connection_lock_dependents before delete on connection
        for each row execute function lock_before_connection_delete();

      create function lock_before_identity_delete() returns trigger language plpgsql as $$
      declare
        connections uuid[];
      begin
        select array_agg(uuid) into connections
        from (select uuid from connection where identity_uuid = old.uuid order by uuid for update) own;
        perform from redelivery where identity_uuid = old.uuid order by uuid for update;
        perform lock_connection_dependents(coalesce(connections, '{}'));
        return old;
      end $$;
      create trigger trg_identity_lock_dependents before delete on identity
        for each row execute function lock_before_identity_delete();

      -- Once per statement, because finding jobs costs as much as there are jobs. A job that a worker is running is left to the
      -- worker; it ends immediately and is removed with the other finished ones.
      create function delete_jobs() returns trigger language plpgsql as $$
      begin
        delete from pgboss.job where id in (
          select j.id from pgboss.job j join deleted on j.singleton_key = deleted.uuid::text
          where j.state <> 'active' for update of j skip locked);
        return null;
      end $$;
      create trigger trg_connection_delete_jobs after delete on connection referencing old table as deleted
        for each statement execute function delete_jobs();
      create trigger trg_webhook_delete_jobs after delete on webhook referencing old table as deleted
        for each statement execute function delete_jobs();
      create trigger trg_redelivery_delete_jobs after delete on redelivery referencing old table as deleted
        for each statement execute function delete_jobs();
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger trg_redelivery_delete_jobs on redelivery;
      drop trigger trg_webhook_delete_jobs on webhook;
      drop trigger trg_connection_delete_jobs on connection;
      drop function delete_jobs;
      drop trigger trg_identity_lock_dependents on identity;
      drop trigger trg_connection_lock_dependents on connection;
      drop function lock_before_identity_delete, lock_before_connection_delete, lock_connection_dependents;
      drop trigger trg_connection_delete_events_and_data_key on connection;
      drop function delete_events_and_data_key;
    `);
  }
}
