import { MIGRATION_TABLE } from '../../platform/database/orm-options';
import { withClient } from '../../platform/database/with-client';
import { assertSupportedServer } from './assert-supported-server';
import { MIGRATIONS } from './migrations';

export interface DatabaseLocation {
  readonly url: string;
  /** The folder of an embedded database; null for that of `DATABASE_URL`. */
  readonly folder: string | null;
}

interface SchemaState {
  /** Migrations of this version that have not run yet, oldest first. */
  readonly pending: readonly string[];
  /** Migrations that have run but are not part of this version, oldest first. */
  readonly unknown: readonly string[];
}

/**
 * Rejects a database whose schema is not one that this version or a later one has built from these migrations. A later
 * schema has this version's migrations and further ones after them; it is accepted, because the previous version has to
 * run during and after an upgrade (CONTRIBUTING, "Change the schema").
 * @throws when the database is unavailable or does not exist, and Error with instructions in one sentence, also when its server is
 * too old or its encoding another one than UTF8
 */
export async function assertSchemaKnown(database: DatabaseLocation): Promise<SchemaState> {
  const state = await schemaState(database.url);
  const { pending, unknown } = state;
  const newest = MIGRATIONS.at(-1)!.name;
  const stray = pending.length > 0 ? unknown[0] : unknown.find((name) => name < newest);
  if (stray === undefined) return state;
  const [place, remedy] =
    database.folder === null
      ? ['the database of DATABASE_URL', 'set DATABASE_URL to an empty database and run "npm run migrate"']
      : [`the database in ${database.folder}`, 'delete this folder with all data in it, or set another DATA_DIR'];
  throw new Error(
    `${place} has the schema of another version of Docfetch, which this version can neither use nor migrate ` +
      `(migration ${stray}). It was not changed. Use the version that created it, or ${remedy}.`,
  );
}

/** @throws like {@link assertSchemaKnown}, and Error in one sentence when migrations are pending */
export async function assertMigrated(database: DatabaseLocation): Promise<void> {
  const { length } = (await assertSchemaKnown(database)).pending;
  if (length > 0) throw new Error(`the database lacks ${length} migrations. Run "npm run migrate" first.`);
}

/** Queried with a separate client: the ORM's migrator would create its table and, for a mistyped name, the whole database. */
function schemaState(url: string): Promise<SchemaState> {
  return withClient(url, async (client) => {
    await assertSupportedServer(client);
    const { rows } = await client.query<{ present: boolean }>(
      `select to_regclass('${MIGRATION_TABLE}') is not null as present`,
    );
    const done = rows[0]!.present
      ? await client.query<{ name: string }>(`select name from ${MIGRATION_TABLE} order by name collate "C"`)
      : { rows: [] };
    const executed = new Set(done.rows.map(({ name }) => name));
    const own = MIGRATIONS.map(({ name }) => name);
    return {
      pending: own.filter((name) => !executed.has(name)),
      unknown: [...executed].filter((name) => !own.includes(name)),
    };
  });
}
