import { MikroORM } from '@mikro-orm/postgresql';
import { installJobTables } from '../../platform/jobs/install-job-tables';
import type { ormOptions } from '../../platform/database/orm-options';
import type { Client } from 'pg';
import { withClient } from '../../platform/database/with-client';
import { createPartitions } from '../../platform/history/create-partitions';

/** An arbitrary number, the same in all instances. */
const MIGRATION_LOCK = 4_011_958;

/**
 * Brings the schema up to date, the job engine's tables included, and returns the names of the migrations that ran. An
 * advisory lock on a separate connection serializes instances that start at the same time.
 */
export function migrate(databaseUrl: string, options: ReturnType<typeof ormOptions>): Promise<string[]> {
  return withClient(databaseUrl, async (lock) => {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const orm = await MikroORM.init(options);
    try {
      const ran = await orm.migrator.up();
      await installJobTables(databaseUrl);
      await createFirstPartitions(lock);
      return ran.map((migration) => migration.name);
    } finally {
      await orm.close();
    }
  });
}

/** The partitions of the history that the first processes write to. */
async function createFirstPartitions(client: Client): Promise<void> {
  await client.query('begin');
  await createPartitions(async (text, parameters) => (await client.query<object>(text, parameters)).rows, new Date());
  await client.query('commit');
}
