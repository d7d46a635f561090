import { Migration } from '@mikro-orm/migrations';

/** The progress of bulk redeliveries, and their filter by type. */
export class ShowRedeliveryProgress extends Migration {
  override up(): void {
    this.addSql(`
      -- The matching transactions at the time of the request, and those that have been processed since.
      alter table redelivery add column document_type text null, add column total integer not null default 0,
        add column processed integer not null default 0;
      create index redelivery_environment on redelivery (environment_uuid, uuid);
    `);
  }

  override down(): void {
    this.addSql(`
      drop index redelivery_environment;
      alter table redelivery drop column document_type, drop column total, drop column processed;
    `);
  }
}
