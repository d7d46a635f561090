import { Migration } from '@mikro-orm/migrations';

/** Why a fetch has not fetched the documents that it counts as filtered. */
export class AddFilterReasons extends Migration {
  override up(): void {
    this.addSql(`
      -- The number of filtered documents by reason; null when there are none.
      alter table "fetch" add column filtered_by jsonb null;

      -- Adds the counts of two objects by key. Strict: not called for the fetches that filter nothing, which are most.
      create function add_counts(a jsonb, b jsonb) returns jsonb language sql immutable strict parallel safe return (
        select jsonb_object_agg(key, count) from (
          select key, sum(value::bigint) as count
          from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) as counts group by key) as sums);
    `);
  }

  override down(): void {
    this.addSql('drop function add_counts');
    this.addSql('alter table "fetch" drop column filtered_by');
  }
}
