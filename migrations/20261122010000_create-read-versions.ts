import { Migration } from '@mikro-orm/migrations';

export class CreateReadVersions extends Migration {
  override up(): void {
    this.addSql(`
      -- Versions of files that have been read, for sources whose documents are told apart by content: what the file is
      -- called, how long it is and when it was changed, as a hash. Only ever added to.
      create table read_version (
        connection_uuid uuid not null references connection (uuid) on delete cascade,
        dedupe_key text not null,
        fetch_uuid uuid not null,
        primary key (connection_uuid, dedupe_key)
      );
    `);
  }

  override down(): void {
    this.addSql('drop table read_version');
  }
}
