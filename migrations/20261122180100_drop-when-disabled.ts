import { Migration } from '@mikro-orm/migrations';

/** What waits for a registration is dropped in the moment it is disabled, before it can be enabled again. */
export class DropWhenDisabled extends Migration {
  override up(): void {
    this.addSql(`
      create function drop_waiting_events() returns trigger language plpgsql as $$
      begin
        update webhook_delivery set state = 'FAILED', error_code = 'WEBHOOK_DISABLED'
        where webhook_uuid = new.uuid and state = 'WAITING';
        return null;
      end $$;
      create trigger webhook_drops_waiting_events after update of disabled_at on webhook for each row
        when (old.disabled_at is null and new.disabled_at is not null)
        execute function drop_waiting_events();
    `);
  }

  override down(): void {
    this.addSql('drop trigger webhook_drops_waiting_events on webhook');
    this.addSql('drop function drop_waiting_events');
  }
}
