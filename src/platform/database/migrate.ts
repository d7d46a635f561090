import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { installJobTables } from '../jobs/install-job-tables';
import type { ormOptions } from './orm-options';

/** Any number; all instances must agree on it. */
const MIGRATION_LOCK = 4_011_958;

/**
 * Brings the schema up to date, the job engine's tables included, and returns the names of the migrations that ran.
 * An advisory lock on a connection of its own lets instances that start together take turns.
 */
export async function migrate(databaseUrl: string, options: ReturnType<typeof ormOptions>): Promise<string[]> {
  const lock = new Client({ connectionString: databaseUrl });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const orm = await MikroORM.init(options);
    try {
      const ran = await orm.migrator.up();
      await installJobTables(databaseUrl);
      return ran.map((migration) => migration.name);
    } finally {
      await orm.close();
    }
  } finally {
    await lock.end();
  }
}

/** The names of the migrations that the database still lacks. */
export async function pendingMigrations(options: ReturnType<typeof ormOptions>): Promise<string[]> {
  const orm = await MikroORM.init(options);
  try {
    return (await orm.migrator.getPending()).map((migration) => migration.name);
  } finally {
    await orm.close();
  }
}
