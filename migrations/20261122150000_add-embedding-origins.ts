import { Migration } from '@mikro-orm/migrations';

/** The hosted UI may be shown in frames of these pages; of none at first. */
export class AddEmbeddingOrigins extends Migration {
  override up(): void {
    this.addSql(`alter table environment add column embedding_origins jsonb not null default '[]'`);
  }

  override down(): void {
    this.addSql('alter table environment drop column embedding_origins');
  }
}
