import { Migration } from '@mikro-orm/migrations';

/**
 * Whoever locks several rows does so in the order of their uuids; a deletion that cascades takes them as it finds them, and
 * would meet such a one halfway (a deadlock, which one of them pays for). So everything that others lock in numbers is
 * locked before the first row goes: connections, then redeliveries, then transactions, then facts, as the others do it.
 */
export class LockBeforeDeleting extends Migration {
  override up(): void {
    this.addSql(`
      create function lock_what_goes_with(connections uuid[]) returns void language plpgsql as $$
      begin
        perform from redelivery where connection_uuid = any(connections) order by uuid for update;
        perform from transaction where connection_uuid = any(connections) order by uuid for update;
        perform from outbox where subject_uuid = any(connections) order by uuid for update;
      end $$;

      create function lock_connection_first() returns trigger language plpgsql as $$
      begin
        perform lock_what_goes_with(array[old.uuid]);
        -- How often it was fetched by hand is nobody's business any more either.
        delete from throttle where key = 'fetch-now:' || old.uuid;
        return old;
      end $$;
      create trigger connection_is_locked_first before delete on connection
        for each row execute function lock_connection_first();

      create function lock_identity_first() returns trigger language plpgsql as $$
      declare
        connections uuid[];
      begin
        select array_agg(uuid) into connections
        from (select uuid from connection where identity_uuid = old.uuid order by uuid for update) own;
        perform from redelivery where identity_uuid = old.uuid order by uuid for update;
        perform lock_what_goes_with(coalesce(connections, '{}'));
        return old;
      end $$;
      create trigger identity_is_locked_first before delete on identity
        for each row execute function lock_identity_first();

      -- Deleting looks for its rows here.
      create index redelivery_connection on redelivery (connection_uuid) where connection_uuid is not null;
      create index redelivery_identity on redelivery (identity_uuid) where identity_uuid is not null;
    `);
  }

  override down(): void {
    this.addSql(`
      drop index redelivery_identity, redelivery_connection;
      drop trigger identity_is_locked_first on identity;
      drop trigger connection_is_locked_first on connection;
      drop function lock_identity_first, lock_connection_first, lock_what_goes_with;
    `);
  }
}
