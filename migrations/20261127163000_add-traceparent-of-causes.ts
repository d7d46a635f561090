import { Migration } from '@mikro-orm/migrations';

/**
 * The spans that have caused a fetch outside the schedule, an event and a redelivery (W3C Trace Context); null while tracing is off.
 * Linked spans have caused the work beside its parent.
 */
export class AddTraceparentOfCauses extends Migration {
  override up(): void {
    this.addSql('alter table connection add column immediate_fetch_traceparent text');
    this.addSql('alter table redelivery add column traceparent text');
    this.addSql('alter table transaction add column redelivery_traceparent text');
    for (const table of ['outbox', 'webhook_delivery']) {
      this.addSql(`alter table ${table} add column traceparent text, add column linked_traceparent text`);
    }
  }

  override down(): void {
    for (const table of ['webhook_delivery', 'outbox']) {
      this.addSql(`alter table ${table} drop column linked_traceparent, drop column traceparent`);
    }
    this.addSql('alter table transaction drop column redelivery_traceparent');
    this.addSql('alter table redelivery drop column traceparent');
    this.addSql('alter table connection drop column immediate_fetch_traceparent');
  }
}
