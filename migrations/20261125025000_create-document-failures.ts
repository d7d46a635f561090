import { Migration } from '@mikro-orm/migrations';

/**
 * Documents of a connection that could not be read, one row each, however many fetches have tried: `failed_document` stays the
 * record of each fetch, and what waits for another try.
 */
export class CreateDocumentFailures extends Migration {
  override up(): void {
    this.addSql(`
      create table document_failure (
        uuid uuid primary key,
        connection_uuid uuid not null references connection (uuid) on delete cascade,
        dedupe_key text not null,
        external_id text null,
        filename text not null,
        code text not null,
        version text not null,
        attempts integer not null,
        since timestamptz(3) not null,
        dismissed_at timestamptz(3) null,
        unique (connection_uuid, dedupe_key)
      );
      create index document_failure_listed on document_failure (connection_uuid, uuid) where dismissed_at is null;
      alter table connection add column failed_documents integer not null default 0;

      -- What has failed so far and was not read since. The uuids are of version 7, so that they are in the order of time.
      insert into document_failure (uuid, connection_uuid, dedupe_key, external_id, filename, code, version, attempts, since)
      select overlay(overlay(gen_random_uuid()::text placing
            substr(ms, 1, 8) || '-' || substr(ms, 9, 4) || '-7' from 1 for 15) placing '8' from 20 for 1)::uuid,
          connection_uuid, dedupe_key, external_id, filename, code, '', attempts, since
        from (
          select distinct on (connection_uuid, dedupe_key) *,
            count(*) over each as attempts, min(created_at) over each as since,
            lpad(to_hex((extract(epoch from min(created_at) over each) * 1000)::bigint), 12, '0') as ms
          from failed_document window each as (partition by connection_uuid, dedupe_key)
          order by connection_uuid, dedupe_key, created_at desc
        ) latest
        where not exists (select 1 from transaction t
            where t.connection_uuid = latest.connection_uuid and t.dedupe_key = latest.dedupe_key)
          and not exists (select 1 from read_version r
            where r.connection_uuid = latest.connection_uuid and r.dedupe_key = latest.dedupe_key);
      update connection c set failed_documents = n
        from (select connection_uuid, count(*) as n from document_failure group by 1) f where f.connection_uuid = c.uuid;
    `);
  }

  override down(): void {
    this.addSql('alter table connection drop column failed_documents');
    this.addSql('drop table document_failure');
  }
}
