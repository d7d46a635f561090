import { Migration } from '@mikro-orm/migrations';

/** What is delivered again in bulk waits behind what is new: two lanes in the calendar of each endpoint. */
export class DeliverInLanes extends Migration {
  override up(): void {
    this.addSql(`
      alter table transaction add column bulk boolean not null default false;
      drop index transaction_due;
      create index transaction_due on transaction (environment_uuid, bulk, due_at) where due_at is not null;
    `);
  }

  override down(): void {
    this.addSql(`
      drop index transaction_due;
      create index transaction_due on transaction (environment_uuid, due_at) where due_at is not null;
      alter table transaction drop column bulk;
    `);
  }
}
