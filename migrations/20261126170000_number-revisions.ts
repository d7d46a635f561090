import { Migration } from '@mikro-orm/migrations';

/** Finds the earlier versions of a file by its id in the source. */
export class NumberRevisions extends Migration {
  override up(): void {
    this.addSql(`
      -- Only documents that are identified by content, which are files. External ids may be longer than an index allows.
      create index transaction_file on transaction (connection_uuid, md5(external_id))
        where external_id is not null and dedupe_key like 'content:%';
    `);
  }

  override down(): void {
    this.addSql('drop index transaction_file');
  }
}
