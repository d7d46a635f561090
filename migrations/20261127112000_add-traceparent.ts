import { Migration } from '@mikro-orm/migrations';

/** The spans that hand work over to another process (W3C Trace Context); null while tracing is off. */
export class AddTraceparent extends Migration {
  override up(): void {
    this.addSql('alter table "fetch" add column traceparent text');
    this.addSql('alter table transaction add column traceparent text');
  }

  override down(): void {
    this.addSql('alter table transaction drop column traceparent');
    this.addSql('alter table "fetch" drop column traceparent');
  }
}
