import type { TestContext } from './test-context';

/** SQL: the rows of a partition are read through its table. */
export const NO_PARTITION =
  "not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)";

/** The number of occurrences of a text per table, in any column; tables without it are omitted. */
export async function countTextOccurrences(
  context: Pick<TestContext, 'query'>,
  text: string,
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const name of await listTables(context)) {
    const [row] = await context.query<{ n: number }>(
      `select count(*)::int as n from "${name}" t where t::text like '%' || $1 || '%'`,
      [text],
    );
    if (row!.n > 0) found[name] = row!.n;
  }
  return found;
}

/** Returns `table.column` and the count for every uuid column that contains one of these; finds the columns in the schema. */
export async function countUuidOccurrences(
  context: Pick<TestContext, 'query'>,
  uuids: readonly string[],
): Promise<Record<string, number>> {
  const columns = await context.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.data_type = 'uuid' and t.table_type = 'BASE TABLE' and ${NO_PARTITION}`,
  );
  const found: Record<string, number> = {};
  for (const { table, column } of columns) {
    const [row] = await context.query<{ n: number }>(
      `select count(*)::int as n from "${table}" where "${column}" = any($1::uuid[])`,
      [uuids],
    );
    if (row!.n > 0) found[`${table}.${column}`] = row!.n;
  }
  return found;
}

async function listTables(context: Pick<TestContext, 'query'>): Promise<string[]> {
  const rows = await context.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and ${NO_PARTITION}`,
  );
  return rows.map(({ name }) => name);
}
