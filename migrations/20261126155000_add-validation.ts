import { Migration } from '@mikro-orm/migrations';

/** The validation report of an e-invoice. It outlives the content. */
export class AddValidation extends Migration {
  override up(): void {
    this.addSql('alter table transaction add column validation jsonb null');
  }

  override down(): void {
    this.addSql('alter table transaction drop column validation');
  }
}
