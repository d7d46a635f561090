import { Migration } from '@mikro-orm/migrations';

/** The choice of an environment whether the content of documents may be opened in the console. */
export class RestrictConsoleContent extends Migration {
  override up(): void {
    this.addSql('alter table environment add column console_content boolean not null default true');
  }

  override down(): void {
    this.addSql('alter table environment drop column console_content');
  }
}
