import { Migration } from '@mikro-orm/migrations';

/** What a client wrote when it acknowledged a document: only so can be told whether it says the same again. */
export class KeepAcknowledgement extends Migration {
  override up(): void {
    this.addSql('alter table transaction add column acknowledged_message text null');
  }

  override down(): void {
    this.addSql('alter table transaction drop column acknowledged_message');
  }
}
