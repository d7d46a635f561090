import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { ManageKeys } from '../../../../src/auth/keys/manage-keys';
import { ENTITIES } from '../../../../src/bootstrap/database/entities';
import { MIGRATIONS } from '../../../../src/bootstrap/database/migrations';
import { migrateDatabase } from '../../../../src/bootstrap/database/open-database';
import { MIGRATION_TABLE, ormOptions } from '../../../../src/platform/database/orm-options';
import { SEED_SETTINGS, seedTestApp } from '../../../harness/app/seed-test-app';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { Receiver } from '../../../seed/receiver';
import { SeedApi } from '../../../seed/seed-api';
import { emptyDatabaseUrl } from '../../../setup/database';

/** Everything that migrations define, one line each; partitions are created by the service. */
const SCHEMA = `
  with relation as (
    select oid, relname, relkind from pg_class
    where relnamespace = 'public'::regnamespace and not relispartition and relname not like '${MIGRATION_TABLE}%'
  )
  select 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' not null: ' || attnotnull
    || ' default: ' || coalesce(pg_get_expr(adbin, adrelid), '') || ' generated: ' || attgenerated::text || attidentity::text as line
  from relation join pg_attribute on attrelid = relation.oid left join pg_attrdef on adrelid = relation.oid and adnum = attnum
  where relkind in ('r', 'p') and attnum > 0 and not attisdropped
  union all
  select 'index ' || pg_get_indexdef(indexrelid) from relation join pg_index on indrelid = relation.oid
  union all
  select 'constraint ' || relname || ' ' || conname || ' ' || pg_get_constraintdef(con.oid)
  from relation join pg_constraint con on conrelid = relation.oid where contype <> 'n'
  union all
  select 'trigger ' || pg_get_triggerdef(trg.oid) from relation join pg_trigger trg on tgrelid = relation.oid where not tgisinternal
  union all
  select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'sequence ' || relname from relation where relkind = 'S'
  union all
  select 'option ' || cls.relname || ' ' || unnest(reloptions) from relation join pg_class cls using (oid)
  order by 1`;
const TABLES = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  and not relispartition and relname <> '${MIGRATION_TABLE}'`;
/** Tables that have rows after the seed, whatever the service did at that moment. */
const FILLED = [
  ...['environment', 'api_key', 'audit_log', 'data_key', 'identity', 'identity_term', 'oauth_flow'],
  ...['connection', 'connection_term', 'fetch', 'fetch_failure', 'document_failure', 'sandbox_document_batch'],
  ...['content', 'content_chunk', 'transaction', 'endpoint', 'delivery_attempt', 'webhook', 'webhook_delivery'],
];
/** The first migrations create the tables; the later ones change them. */
const CREATING = MIGRATIONS.findIndex(({ name }) => !name.includes('_create-'));

/** A database of the service, on which its migrations go up and down while it does not run. */
class MigratedDatabase {
  private constructor(
    private readonly orm: MikroORM,
    private readonly client: Client,
  ) {}

  static async open(databaseUrl: string): Promise<MigratedDatabase> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const options = ormOptions({ databaseUrl, pool: 2, entities: ENTITIES, migrations: MIGRATIONS });
    return new MigratedDatabase(await MikroORM.init(options), client);
  }

  async close(): Promise<void> {
    await this.orm.close();
    await this.client.end();
  }

  async up(name: string): Promise<void> {
    const ran = await this.orm.migrator.up({ migrations: [name] });
    expect(ran.map((one) => one.name)).toEqual([name]);
  }

  async down(name: string): Promise<void> {
    const reverted = await this.orm.migrator.down({ migrations: [name] });
    expect(reverted.map((one) => one.name)).toEqual([name]);
  }

  async schema(): Promise<string[]> {
    return (await this.client.query<{ line: string }>(SCHEMA)).rows.map(({ line }) => line);
  }

  async revokedKeys(): Promise<string[]> {
    const { rows } = await this.client.query<{ uuid: string }>('select uuid from api_key where revoked_at is not null');
    return rows.map(({ uuid }) => uuid);
  }

  /** The number of rows of each table that has some. */
  async rows(): Promise<Record<string, number>> {
    const { rows } = await this.client.query<{ name: string }>(TABLES);
    const counted: Record<string, number> = {};
    for (const { name } of rows) {
      const { rows: counts } = await this.client.query<{ count: string }>(`select count(*) from "${name}"`);
      if (counts[0]!.count !== '0') counted[name] = Number(counts[0]!.count);
    }
    return counted;
  }
}

describe('The migrations on a database in use', () => {
  const names = MIGRATIONS.map(({ name }) => name);
  /** The schema before each migration, and after the last one. */
  const schemas: string[][] = [];
  let database: MigratedDatabase;
  let databaseUrl: string;
  let client: TestClient;
  let transactions: unknown;
  let limitedKey: string;

  beforeAll(async () => {
    databaseUrl = await emptyDatabaseUrl();
    database = await MigratedDatabase.open(databaseUrl);
    for (const name of names) {
      schemas.push(await database.schema());
      await database.up(name);
    }
    schemas.push(await database.schema());
    await migrateDatabase(databaseUrl); // the tables of the job engine, and partitions
    await withService(async (app) => {
      client = await createTestClient(app, { environment: { returnOrigins: [app.url] } });
      await fill(app);
      const keys = app.app.get(ManageKeys, { strict: false });
      limitedKey = (await keys.issue('test', client.environmentUuid, null, { scopes: ['read'] })).record.uuid;
      transactions = await listed(app);
    });
  });
  afterAll(() => database?.close());

  async function withService(work: (app: TestApp) => Promise<void>): Promise<void> {
    const app = await startApp({ role: 'all', databaseUrl, settings: SEED_SETTINGS });
    try {
      await work(app);
    } finally {
      await app.stop();
    }
  }

  /** Connections, documents, deliveries and webhooks in every state. */
  async function fill(app: TestApp): Promise<void> {
    const receiver = await Receiver.listen();
    try {
      await seedTestApp(app, client, receiver);
    } finally {
      await receiver.stop();
    }
  }

  const listed = (app: TestApp) =>
    new SeedApi(app.url, client.apiKey).client.call<{ transaction_uuid: string }[]>(
      'GET',
      '/v1/transactions?limit=100',
      200,
    );

  /** Reverts, repeats and reverts a migration; rows of tables that are there without it must remain. */
  async function revert(name: string): Promise<void> {
    const index = names.indexOf(name);
    const before = await database.rows();
    await database.down(name);
    expect({ name, schema: await database.schema() }).toEqual({ name, schema: schemas[index] });
    const kept = await database.rows();
    expect({ name, rows: { ...before, ...kept } }).toEqual({ name, rows: before });
    await database.up(name);
    expect({ name, schema: await database.schema() }).toEqual({ name, schema: schemas[index + 1] });
    expect({ name, rows: await database.rows() }).toMatchObject({ name, rows: kept });
    await database.down(name);
  }

  it('are filled by a service that has used them', async () => {
    expect(Object.keys(await database.rows())).toEqual(expect.arrayContaining(FILLED));
    expect((await database.rows())['transaction']).toBeGreaterThan(20);
  });

  it('can be reverted and repeated one by one, until the service works again with all its documents', async () => {
    for (const name of names.slice(CREATING).reverse()) await revert(name);
    await migrateDatabase(databaseUrl);
    await withService(async (app) => {
      expect(await listed(app)).toEqual(transactions);
    });
    // Without its limits it could be used for everything.
    expect(await database.revokedKeys()).toEqual([limitedKey]);
  });

  it('can be reverted to an empty database', async () => {
    for (const name of [...names].reverse()) await revert(name);
    expect(await database.rows()).toEqual({});
    expect(await database.schema()).toEqual(schemas[0]);
  });
});
