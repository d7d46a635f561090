import { Migration } from '@mikro-orm/migrations';

/** Every client's facts stand together: one look takes a few of each, however many one client has. */
export class DispatchByTurns extends Migration {
  override up(): void {
    this.addSql(`
      drop index outbox_undispatched;
      create index outbox_undispatched on outbox (environment_uuid, uuid) where dispatched_at is null;
    `);
  }

  override down(): void {
    this.addSql(`
      drop index outbox_undispatched;
      create index outbox_undispatched on outbox (uuid) where dispatched_at is null;
    `);
  }
}
