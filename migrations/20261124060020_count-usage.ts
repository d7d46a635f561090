import { Migration } from '@mikro-orm/migrations';

/**
 * What each environment has used in a month (decisions 4). A counter of its own: no foreign keys, nothing personal, so it
 * survives the deletion of connections and the end of the history's retention. Split into shards, because all fetches of
 * an environment count at the same time.
 */
export class CountUsage extends Migration {
  override up(): void {
    this.addSql(`
      create table monthly_usage (
        environment_uuid uuid not null,
        month date not null,
        shard smallint not null,
        connections bigint not null,
        fetches bigint not null,
        documents bigint not null,
        bytes bigint not null,
        primary key (environment_uuid, month, shard)
      ) with (fillfactor = 50);

      -- The month in which the connection was last counted.
      alter table connection add column counted_month date null;

      insert into monthly_usage (environment_uuid, month, shard, connections, fetches, documents, bytes)
        select environment_uuid, month, 0, sum(connections), sum(fetches), sum(documents), sum(bytes) from (
          select environment_uuid, date_trunc('month', finished_at at time zone 'UTC')::date as month,
            count(distinct connection_uuid) as connections, count(*) as fetches, 0 as documents, 0 as bytes
          from fetch_run where finished_at is not null and status <> 'CANCELLED' group by 1, 2
          union all
          select environment_uuid, date_trunc('month', created_at at time zone 'UTC')::date, 0, 0, count(*), sum(size)
          from transaction group by 1, 2) counted
        group by 1, 2;
      update connection c set counted_month = f.month from (
        select connection_uuid, max(date_trunc('month', finished_at at time zone 'UTC')::date) as month
        from fetch_run where finished_at is not null and status <> 'CANCELLED' group by 1) f
      where f.connection_uuid = c.uuid;
    `);
  }

  override down(): void {
    this.addSql('drop table monthly_usage');
    this.addSql('alter table connection drop column counted_month');
  }
}
