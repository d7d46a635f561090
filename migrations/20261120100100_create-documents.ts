import { Migration } from '@mikro-orm/migrations';

/** Content goes with the data key that seals it. */
export class CreateDocuments extends Migration {
  override up(): void {
    this.addSql(`
      create table content (
        uuid uuid primary key,
        owner_uuid uuid not null references data_key (owner_uuid) on delete cascade,
        size bigint not null,
        sha256 text not null,
        chunks integer not null,
        attached_at timestamptz(3) null,
        created_at timestamptz(3) not null
      );
      create index content_owner on content (owner_uuid);
      create index content_orphans on content (created_at) where attached_at is null;

      create table content_chunk (
        content_uuid uuid not null references content (uuid) on delete cascade,
        index integer not null,
        bytes bytea not null,
        primary key (content_uuid, index)
      );
      -- Sealed bytes do not compress: store them as they are.
      alter table content_chunk alter column bytes set storage external;
    `);
  }

  override down(): void {
    this.addSql('drop table content_chunk, content');
  }
}
