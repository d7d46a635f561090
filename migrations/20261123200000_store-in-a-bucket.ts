import { Migration } from '@mikro-orm/migrations';

/**
 * Content whose bytes lie in a bucket says in which one. Whatever deletes its row (a purge, a sweep, the end of its data key)
 * leaves behind what has to be deleted there: nobody can forget it, and it is true with the same commit.
 */
export class StoreInABucket extends Migration {
  override up(): void {
    this.addSql(`
      alter table content add column location text null;

      create table content_removal (
        content_uuid uuid primary key,
        location text not null,
        chunks integer not null,
        due_at timestamptz(3) not null
      );
      create index content_removal_due on content_removal (due_at);

      -- What had not arrived whole may still be arriving: its writer gives up long before a day has passed.
      create function remember_objects() returns trigger language plpgsql as $$
      begin
        insert into content_removal (content_uuid, location, chunks, due_at)
        select uuid, location, chunks, case when chunks = 0 then now() + interval '1 day' else now() end
        from gone where location is not null;
        return null;
      end $$;
      create trigger content_leaves_objects after delete on content
        referencing old table as gone for each statement execute function remember_objects();
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger content_leaves_objects on content;
      drop function remember_objects;
      drop table content_removal;
      alter table content drop column location;
    `);
  }
}
