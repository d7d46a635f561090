import { Migration } from '@mikro-orm/migrations';

/** The choice of an environment that copies of an invoice are not pushed. */
export class HoldDuplicates extends Migration {
  override up(): void {
    this.addSql('alter table environment add column hold_duplicates boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table environment drop column hold_duplicates');
  }
}
