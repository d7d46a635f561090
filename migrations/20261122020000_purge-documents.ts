import { Migration } from '@mikro-orm/migrations';

/** Where the sweep of the retention looks: it costs what is due, not what exists. */
export class PurgeDocuments extends Migration {
  override up(): void {
    this.addSql('create index transaction_kept on transaction (available_until) where content_uuid is not null');
  }

  override down(): void {
    this.addSql('drop index transaction_kept');
  }
}
