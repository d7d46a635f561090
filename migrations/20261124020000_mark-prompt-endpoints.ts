import { Migration } from '@mikro-orm/migrations';

/** Places are reserved for endpoints that answer promptly: all processes have to know which they are. */
export class MarkPromptEndpoints extends Migration {
  override up(): void {
    this.addSql('alter table endpoint add column prompt boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table endpoint drop column prompt');
  }
}
