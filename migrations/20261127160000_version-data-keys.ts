import { Migration } from '@mikro-orm/migrations';

/** Data keys have versions, so that they can be replaced: ciphertexts name the version that decrypts them. */
export class VersionDataKeys extends Migration {
  override up(): void {
    this.addSql(`
      -- The current version, which encrypts. Version 1 writes the ciphertexts of the time before: they name no version.
      alter table data_key add column version integer not null default 1;

      -- The versions that only decrypt: the former ones, and the successor of the current one, which has no replaced_at.
      create table data_key_version (
        owner_uuid uuid not null,
        environment_uuid uuid not null,
        version integer not null,
        master_key_id text not null,
        wrapped_key bytea not null,
        created_at timestamptz(3) not null,
        replaced_at timestamptz(3) null,
        primary key (owner_uuid, version, environment_uuid),
        foreign key (owner_uuid, environment_uuid) references data_key (owner_uuid, environment_uuid) on delete cascade
      );

      -- The oldest version that any of its chunks needs.
      alter table content add column key_version integer not null default 1;
      -- Answers which content still needs a version; the cascade from the data key uses it as well.
      create index content_owner_key_version on content (owner_uuid, key_version);
      drop index content_owner;
    `);
  }

  override down(): void {
    this.addSql(`
      do $$ begin
        if exists (select from data_key where version > 1) or exists (select from data_key_version) then
          raise exception 'Data keys have been replaced: without their versions, what they encrypt would be lost.';
        end if;
      end $$;
      create index content_owner on content (owner_uuid);
      drop index content_owner_key_version;
      alter table content drop column key_version;
      drop table data_key_version;
      alter table data_key drop column version;
    `);
  }
}
