import { Migration } from '@mikro-orm/migrations';

/** The document store: encrypted content in chunks, in the database or in a bucket. */
export class CreateContents extends Migration {
  override up(): void {
    this.addSql(`
      -- Deleted with the data key that encrypts it.
      create table content (
        uuid uuid not null,
        environment_uuid uuid not null,
        owner_uuid uuid not null,
        location text null,
        size bigint not null,
        sha256 text not null,
        chunks integer not null,
        created_at timestamptz(3) not null,
        attached_at timestamptz(3) null,
        primary key (uuid, environment_uuid),
        foreign key (owner_uuid, environment_uuid) references data_key (owner_uuid, environment_uuid) on delete cascade
      );
      create index content_owner on content (owner_uuid);
      create index content_orphans on content (created_at) where attached_at is null;

      create table content_chunk (
        content_uuid uuid not null,
        environment_uuid uuid not null,
        index integer not null,
        bytes bytea not null,
        primary key (content_uuid, index, environment_uuid),
        foreign key (content_uuid, environment_uuid) references content (uuid, environment_uuid) on delete cascade
      );
      -- Encrypted bytes do not compress, so PostgreSQL must not try.
      alter table content_chunk alter column bytes set storage external;

      -- Objects in the bucket that have to be deleted.
      create table object_deletion_queue (
        content_uuid uuid not null,
        environment_uuid uuid not null,
        location text not null,
        chunks integer not null,
        due_at timestamptz(3) not null,
        primary key (content_uuid, environment_uuid)
      );
      create index object_deletion_queue_due on object_deletion_queue (due_at);

      -- A trigger, because this must hold whatever deletes content (purge, garbage collection, a deletion, the cascade from
      -- its data key): an object that is not recorded in the same transaction would stay in the bucket for ever. An upload that has not finished may still
      -- be writing objects; the writer gives up long before a day has passed.
      create function queue_object_deletion() returns trigger language plpgsql as $$
      begin
        insert into object_deletion_queue (content_uuid, environment_uuid, location, chunks, due_at)
        select uuid, environment_uuid, location, chunks, case when chunks = 0 then now() + interval '1 day' else now() end
        from deleted where location is not null;
        return null;
      end $$;
      create trigger trg_content_queue_object_deletion after delete on content
        referencing old table as deleted for each statement execute function queue_object_deletion();
    `);
  }

  override down(): void {
    this.addSql('drop table object_deletion_queue, content_chunk, content');
    this.addSql('drop function queue_object_deletion');
  }
}
