import { Migration } from '@mikro-orm/migrations';

/** The metric of replacements that are late reads the oldest successors and the oldest former versions. */
export class IndexDataKeyVersions extends Migration {
  override up(): void {
    this.addSql('create index data_key_version_replaced on data_key_version (replaced_at, created_at);');
  }

  override down(): void {
    this.addSql('drop index data_key_version_replaced;');
  }
}
