import { Migration } from '@mikro-orm/migrations';

/** The newest documents of a connection are found in the index alone, without reading all its rows. */
export class CoverDocumentsOfConnections extends Migration {
  override up(): void {
    this.replaceIndex('include (uuid)');
  }

  override down(): void {
    this.replaceIndex('');
  }

  /** Documents can be read, but not written, while the index is built: the other one is dropped at the end. */
  private replaceIndex(included: string): void {
    this.addSql(`
      create unique index transaction_dedupe_next on transaction (connection_uuid, dedupe_key, environment_uuid) ${included};
      drop index transaction_dedupe;
      alter index transaction_dedupe_next rename to transaction_dedupe;
    `);
  }
}
