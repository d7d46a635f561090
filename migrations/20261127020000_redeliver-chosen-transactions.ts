import { Migration } from '@mikro-orm/migrations';

/** Bulk redeliveries of individually chosen transactions. */
export class RedeliverChosenTransactions extends Migration {
  override up(): void {
    this.addSql(`
      alter table redelivery
        -- The chosen transactions until the redelivery has finished; null: all that match the other criteria.
        add column transaction_uuids uuid[] null,
        -- Null: whatever the status of a chosen transaction is.
        alter column status drop not null;
    `);
  }

  override down(): void {
    this.addSql(`
      delete from redelivery where status is null or transaction_uuids is not null;
      alter table redelivery drop column transaction_uuids, alter column status set not null;
    `);
  }
}
