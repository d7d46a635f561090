import { Migration } from '@mikro-orm/migrations';

/** A webhook's sealed secrets are bound to its row: `false` marks those that are still to be sealed again. */
export class BindWebhookSecrets extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhook add column secrets_bound boolean not null default false;
      create index webhook_secrets_unbound on webhook (uuid) where not secrets_bound;
    `);
  }

  override down(): void {
    this.addSql('alter table webhook drop column secrets_bound');
  }
}
