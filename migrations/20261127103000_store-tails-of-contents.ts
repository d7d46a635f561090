import { Migration } from '@mikro-orm/migrations';

/** Large documents in a bucket: their first chunks are objects of their own, all further ones are one object (multi-part). */
export class StoreTailsOfContents extends Migration {
  override up(): void {
    this.addSql(`
      -- The number of chunks that are objects of their own; null: all of them.
      alter table content add column tail_from integer null;
      alter table object_deletion_queue add column tail_from integer null;

      create or replace function queue_object_deletion() returns trigger language plpgsql as $$
      begin
        insert into object_deletion_queue (content_uuid, environment_uuid, location, chunks, tail_from, due_at)
        select uuid, environment_uuid, location, chunks, tail_from,
          case when chunks = 0 then now() + interval '1 day' else now() end
        from deleted where location is not null;
        return null;
      end $$;
    `);
  }

  override down(): void {
    this.addSql(`
      create or replace function queue_object_deletion() returns trigger language plpgsql as $$
      begin
        insert into object_deletion_queue (content_uuid, environment_uuid, location, chunks, due_at)
        select uuid, environment_uuid, location, chunks, case when chunks = 0 then now() + interval '1 day' else now() end
        from deleted where location is not null;
        return null;
      end $$;
      alter table object_deletion_queue drop column tail_from;
      alter table content drop column tail_from;
    `);
  }
}
