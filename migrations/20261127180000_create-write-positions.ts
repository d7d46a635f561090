import { Migration } from '@mikro-orm/migrations';

/** What a replica has to have replayed before it answers for an environment. */
export class CreateWritePositions extends Migration {
  override up(): void {
    this.addSql(`
      -- Not logged: it is written with every transaction of a request, and worthless after a crash. Not filled, so that updates stay in
      -- their page and leave no dead entries in the index.
      create unlogged table write_position (
        environment_uuid uuid primary key,
        position pg_lsn not null
      ) with (fillfactor = 25);
    `);
  }

  override down(): void {
    this.addSql('drop table write_position;');
  }
}
