import { readFileSync } from 'node:fs';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { ormOptions } from '../../../../src/platform/database/orm-options';
import { ENTITIES } from '../../../../src/bootstrap/database/entities';
import { MIGRATIONS } from '../../../../src/bootstrap/database/migrations';
import { migratedDatabaseUrl } from '../../../setup/database';

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
}

/** Tables without an entity, which are accessed only by SQL. */
const WITHOUT_ENTITY = [
  'content_chunk',
  'inbox_mail',
  'object_deletion_queue',
  'throttle',
  'idempotency_key',
  'rate_limit_slot',
  'provider_pause',
  'oauth_revocation',
  'monthly_usage',
  'sandbox_consent',
  'sandbox_document_batch',
  'worker_uptime',
  'worker_heartbeat',
  'identity_term',
  'connection_term',
  'environment_transfer',
  'write_position',
];
/** The migrator's own table. */
const MIGRATOR = 'migration';

/** Normalizes the different notations of a type. */
const plain = (type: string) =>
  type
    .replace(/^varchar\(\d+\)|^character varying.*/, 'text')
    .replace(/^int$|^int4$/, 'integer')
    .replace('timestamp(3) with time zone', 'timestamptz(3)')
    .replace(/^(?:boolean|bool)$/, 'boolean');

describe('the migrated schema', () => {
  let orm: MikroORM;
  let client: Client;
  let made: Column[];

  beforeAll(async () => {
    const databaseUrl = await migratedDatabaseUrl();
    orm = await MikroORM.init(ormOptions({ databaseUrl, pool: 2, entities: ENTITIES, migrations: MIGRATIONS }));
    client = new Client({ connectionString: databaseUrl });
    await client.connect();
    made = await columns();
  });

  afterAll(async () => {
    await client.end();
    await orm.close();
  });

  /** The columns that the migrations have created. */
  async function columns(): Promise<Column[]> {
    const { rows } = await client.query<Column>(
      `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped`,
    );
    return rows.filter(({ table }) => table !== MIGRATOR && !WITHOUT_ENTITY.includes(table));
  }

  /** The columns that the entities expect. */
  const expected = (): Column[] =>
    [...orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
      props
        .filter((property) => property.persist !== false && property.fieldNames)
        .map((property) => ({
          table: tableName,
          column: property.fieldNames[0]!,
          type: property.columnTypes[0]!,
          nullable: property.nullable ?? false,
        })),
    );

  const sorted = (found: Column[]) =>
    found
      .map(({ table, column, type, nullable }) => `${table}.${column} ${plain(type)} ${nullable ? 'null' : 'not null'}`)
      .sort();

  it('has exactly the columns of the entities, with their types and null constraints', () => {
    expect(expected().length).toBeGreaterThan(100);
    expect(sorted(made)).toEqual(sorted(expected()));
  });

  it('has the primary keys of the entities, with the environment in each', async () => {
    const { rows } = await client.query<{ key: string }>(
      `select c.relname || '.' || a.attname as key from pg_index i join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
       where (i.indisprimary or i.indnullsnotdistinct) and c.relnamespace = 'public'::regnamespace and c.relname <> all ($1)
         and not c.relispartition and (a.attname not in ('environment_uuid', 'retention_class') or i.indnkeyatts = 1)`,
      [[MIGRATOR, ...WITHOUT_ENTITY]],
    );
    const keys = [...orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
      props.filter(({ primary }) => primary).map(({ fieldNames }) => `${tableName}.${fieldNames[0]}`),
    );
    expect(rows.map(({ key }) => key).sort()).toEqual(keys.sort());
  });

  it('has exactly the triggers that docs/glossary.md describes', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = 'public'::regnamespace`,
    );
    const [, section] = readFileSync('docs/glossary.md', 'utf8').split('## What the database does by itself');
    const names = [...section!.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
      cell!.replaceAll('`', '').split(', '),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('can be read and written through every entity', async () => {
    const em = orm.em.fork();
    for (const entity of ENTITIES) expect(await em.find(entity, {}, { limit: 1 })).toEqual([]);
  });

  it('is unchanged after each migration is reverted and repeated', async () => {
    const before = sorted(made);
    await orm.migrator.down({ to: 0 });
    const { rows: left } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S')",
    );
    expect(left.map(({ name }) => name).filter((name) => !name.startsWith(MIGRATOR))).toEqual([]);
    const ran = await orm.migrator.up();
    expect(ran.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(sorted(await columns())).toEqual(before);
  });
});
