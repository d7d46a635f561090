import { Client } from 'pg';
import {
  CONVERTED_TABLES,
  environmentColumn,
  EXCLUDED_TABLES,
  MOVED_TABLES,
} from '../../../src/transfers/moved-tables';
import { migratedDatabaseUrl } from '../../setup/database';

/** A new table of environments must be moved, or be listed with the reason why it is not. */
describe('the tables that move with an environment', () => {
  let client: Client;

  beforeAll(async () => {
    client = new Client({ connectionString: await migratedDatabaseUrl() });
    await client.connect();
  });
  afterAll(() => client.end());

  it('are all tables with rows of an environment, except those with a reason', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'environment_uuid'
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    const handled = [...MOVED_TABLES, ...CONVERTED_TABLES, ...Object.keys(EXCLUDED_TABLES)].filter(
      (table) => environmentColumn(table) === 'environment_uuid',
    );
    expect(handled.sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('are in the order of their foreign keys', async () => {
    const { rows } = await client.query<{ child: string; parent: string }>(
      `select c.relname as child, t.relname as parent
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
       where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and not c.relispartition`,
    );
    const place = (table: string) => (MOVED_TABLES as readonly string[]).indexOf(table);
    const wrong = rows.filter(({ child, parent }) => place(child) >= 0 && place(parent) >= place(child));
    expect(rows.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });
});
