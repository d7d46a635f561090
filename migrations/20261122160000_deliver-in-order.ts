import { Migration } from '@mikro-orm/migrations';

/** Very many documents can be due at the same moment: the next few of them stand in the index, in the order they are sent in. */
export class DeliverInOrder extends Migration {
  override up(): void {
    this.addSql(`
      drop index transaction_due;
      create index transaction_due on transaction (environment_uuid, bulk, due_at, uuid) where due_at is not null;
    `);
  }

  override down(): void {
    this.addSql(`
      drop index transaction_due;
      create index transaction_due on transaction (environment_uuid, bulk, due_at) where due_at is not null;
    `);
  }
}
