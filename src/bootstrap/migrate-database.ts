import type { MigrationObject } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { installJobTables } from '../platform/jobs/install-job-tables';
import { MIGRATION_TABLE, type ormOptions } from '../platform/database/orm-options';
import { withClient } from '../platform/database/with-client';

/** Any number; all instances must agree on it. */
const MIGRATION_LOCK = 4_011_958;

/**
 * Brings the schema up to date, the job engine's tables included, and returns the names of the migrations that ran.
 * An advisory lock on a connection of its own lets instances that start together take turns.
 */
export function migrate(databaseUrl: string, options: ReturnType<typeof ormOptions>): Promise<string[]> {
  return withClient(databaseUrl, async (lock) => {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const orm = await MikroORM.init(options);
    try {
      const ran = await orm.migrator.up();
      await installJobTables(databaseUrl);
      return ran.map((migration) => migration.name);
    } finally {
      await orm.close();
    }
  });
}

/**
 * The names of the migrations that the database still lacks. Asked with a client of its own: the ORM's migrator would make what
 * is not there, its table and, under a mistyped name, the whole database.
 * @throws when the database does not answer, or is not there
 */
export function pendingMigrations(databaseUrl: string, migrations: readonly MigrationObject[]): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ present: boolean }>(
      `select to_regclass('${MIGRATION_TABLE}') is not null as present`,
    );
    if (!rows[0]!.present) return migrations.map(({ name }) => name);
    const done = await client.query<{ name: string }>(`select name from ${MIGRATION_TABLE}`);
    const known = new Set(done.rows.map(({ name }) => name));
    return migrations.map(({ name }) => name).filter((name) => !known.has(name));
  });
}
