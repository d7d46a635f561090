import { Client } from 'pg';
import { migratedDatabaseUrl } from '../../../setup/database';

/** Tables whose rows belong to the installation and not to one environment, each with the reason. */
const INSTALLATION_WIDE: Readonly<Record<string, string>> = {
  environment: 'it is the tenant: its own uuid is the environment of all other rows',
  migration: 'executed migrations of the schema',
  throttle: 'hits of callers before they are authenticated, by address too; a row expires within an hour',
  rate_limit_slot: 'request rates at providers apply to all environments together',
  provider_pause: 'a pause that a provider has requested applies to all environments',
  worker_uptime: 'when workers of the installation were running',
  worker_heartbeat: 'the workers of the installation',
};

/** Tables with rows without an environment, each with the reason. */
const MAY_BE_NULL: Readonly<Record<string, string>> = {
  audit_log: 'actions of the operator that concern the installation, such as a rotation of the master key',
};

interface TenantTable {
  readonly name: string;
  readonly environment: 'not null' | 'null' | null;
}

interface Constraint {
  readonly table: string;
  readonly columns: readonly string[];
}

interface ForeignKey extends Constraint {
  readonly target: string;
  readonly target_columns: readonly string[];
}

/** ARCHITECTURE, "Tenants": every environment can be moved, partitioned and sharded. */
describe('the keys of tenant tables', () => {
  let client: Client;
  let tables: TenantTable[];

  beforeAll(async () => {
    client = new Client({ connectionString: await migratedDatabaseUrl() });
    await client.connect();
    tables = (
      await client.query<TenantTable>(
        `select c.relname as name, case when a.attnotnull then 'not null' when a.attname is not null then 'null' end as environment
         from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'environment_uuid'
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
      )
    ).rows;
  });
  afterAll(() => client.end());

  const tenantTables = () => tables.filter(({ name }) => !(name in INSTALLATION_WIDE));

  /** Primary keys, unique constraints and unique indexes of tenant tables. */
  async function uniqueKeys(): Promise<Constraint[]> {
    const { rows } = await client.query<Constraint>(
      `select c.relname as table, array_agg(a.attname::text) as columns
       from pg_index i join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
       where i.indisunique and c.relname = any ($1) group by i.indexrelid, c.relname`,
      [tenantTables().map(({ name }) => name)],
    );
    return rows;
  }

  it('knows every exception', () => {
    const names = tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(INSTALLATION_WIDE), ...Object.keys(MAY_BE_NULL)]));
    expect(tenantTables().length).toBeGreaterThan(20);
  });

  it('include the environment of every row', () => {
    const wrong = tenantTables().filter(
      ({ name, environment }) => environment !== (name in MAY_BE_NULL ? 'null' : 'not null'),
    );
    expect(wrong).toEqual([]);
  });

  it('include the environment in every primary key and unique constraint', async () => {
    const keys = await uniqueKeys();
    expect(keys.filter(({ columns }) => !columns.includes('environment_uuid'))).toEqual([]);
    const withKey = new Set(keys.map(({ table }) => table));
    expect(tenantTables().filter(({ name }) => !withKey.has(name))).toEqual([]);
  });

  it('include the environment in every foreign key, so that a row refers only to rows of its environment', async () => {
    const { rows } = await client.query<ForeignKey>(
      `select c.relname as table, t.relname as target,
         (select array_agg(attname::text order by n) from unnest(k.conkey) with ordinality u (attnum, n)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum) as columns,
         (select array_agg(attname::text order by n) from unnest(k.confkey) with ordinality u (attnum, n)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.attnum) as target_columns
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
       where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and not c.relispartition`,
    );
    expect(rows.length).toBeGreaterThan(10);
    const wrong = rows.filter(({ target, columns, target_columns }) => {
      const at = columns.indexOf('environment_uuid');
      return at < 0 || target_columns[at] !== (target === 'environment' ? 'uuid' : 'environment_uuid');
    });
    expect(wrong).toEqual([]);
  });
});
