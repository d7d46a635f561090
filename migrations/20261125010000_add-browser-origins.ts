import { Migration } from '@mikro-orm/migrations';

/** Web pages of these origins may call the API with a UI token; of none at first. The index answers whether any environment allows one. */
export class AddBrowserOrigins extends Migration {
  override up(): void {
    this.addSql(`
      alter table environment add column browser_origins jsonb not null default '[]';
      create index environment_browser_origins on environment using gin (browser_origins jsonb_path_ops);
    `);
  }

  override down(): void {
    this.addSql('alter table environment drop column browser_origins');
  }
}
