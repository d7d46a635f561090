import { Migration } from '@mikro-orm/migrations';

/**
 * Whoever polls for one connection or one status alone reads only what is of it behind the cursor, not the whole feed. Only
 * what has its place in the feed stands in them: documents of clients that do not poll cost nothing more.
 */
export class FindInFeed extends Migration {
  override up(): void {
    this.addSql(`
      create index transaction_feed_connection on transaction (connection_uuid, position) where position is not null;
      create index transaction_feed_status on transaction (environment_uuid, status, position) where position is not null;
    `);
  }

  override down(): void {
    this.addSql('drop index transaction_feed_connection, transaction_feed_status');
  }
}
