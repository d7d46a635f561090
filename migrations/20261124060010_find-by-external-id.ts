import { Migration } from '@mikro-orm/migrations';

/**
 * The feed filtered by type or by the source's id: a poll for what is rare must not read the whole feed. Ids may be long paths,
 * longer than an index takes, so their digests stand in it.
 */
export class FindByExternalId extends Migration {
  override up(): void {
    this.addSql(`
      create index transaction_feed_type on transaction (environment_uuid, document_type, position)
        where position is not null;
      create index transaction_feed_external_id on transaction (environment_uuid, md5(external_id), position)
        where position is not null and external_id is not null;
    `);
  }

  override down(): void {
    this.addSql('drop index transaction_feed_type, transaction_feed_external_id');
  }
}
