import { Migration } from '@mikro-orm/migrations';

/** How often a key, a token or an address has called within the last minute. Worth nothing after it: unlogged. */
export class CreateRequestCounts extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table request_count (
        key text primary key,
        ends bigint[] not null,
        counts integer[] not null,
        granted integer not null,
        expires_at timestamptz(3) not null
      );
      create index request_count_expires_at on request_count (expires_at);
    `);
  }

  override down(): void {
    this.addSql('drop table request_count');
  }
}
