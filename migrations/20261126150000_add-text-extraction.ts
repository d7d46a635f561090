import { Migration } from '@mikro-orm/migrations';

/** Whether metadata are read from the text of an environment's PDFs. */
export class AddTextExtraction extends Migration {
  override up(): void {
    this.addSql('alter table environment add column text_extraction boolean not null default true');
  }

  override down(): void {
    this.addSql('alter table environment drop column text_extraction');
  }
}
