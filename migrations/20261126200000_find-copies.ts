import { Migration } from '@mikro-orm/migrations';

/** Finds the copies of an invoice among the documents of its identity. */
export class FindCopies extends Migration {
  override up(): void {
    this.addSql(`
      -- The digest of what identifies an invoice, and the place of the document among those with the same digest.
      alter table transaction add column invoice_key text null, add column invoice_copy integer null;
      create index transaction_invoice on transaction (identity_uuid, invoice_key, invoice_copy)
        where invoice_key is not null;
    `);
  }

  override down(): void {
    this.addSql('alter table transaction drop column invoice_key, drop column invoice_copy');
  }
}
