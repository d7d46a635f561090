import { join } from 'node:path';
import type { Pooler } from '../../platform/config/pooler';
import type { Settings } from '../../platform/config/settings';
import { startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres';
import { assertSchemaKnown, type DatabaseLocation } from './check-schema';
import { migrate } from './migrate-database';
import { ormOptions } from '../../platform/database/orm-options';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations';

/** An open database. */
export interface OpenDatabase extends DatabaseLocation {
  /** The process that runs the embedded database, when it is another one. */
  readonly ownerPid: number | null;
  close(): Promise<void>;
}

/**
 * Brings the schema of a database up to date; returns the migrations that ran. At `url` may be a pooler that keeps the session of
 * a connection.
 */
export function migrateDatabase(url: string, pooler: Pooler | null = null): Promise<string[]> {
  return migrate(url, ormOptions({ databaseUrl: url, pooler, pool: 2, entities: ENTITIES, migrations: MIGRATIONS }));
}

/**
 * Opens the server of `DATABASE_URL`, or the embedded one below `DATA_DIR`; only the embedded one is migrated
 * automatically (decisions 8).
 */
export async function openDatabase(settings: Settings, print: (line: string) => void): Promise<OpenDatabase> {
  const { databaseUrl } = settings;
  if (databaseUrl) return { url: databaseUrl, folder: null, ownerPid: null, close: () => Promise.resolve() };
  const folder = join(settings.dataDir, 'postgres');
  const server = await startEmbeddedPostgres({ dataDir: folder, print });
  try {
    if (!server.adopted) {
      await assertSchemaKnown({ url: server.url, folder });
      await migrateDatabase(server.url);
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url: server.url, folder, ownerPid: server.ownerPid, close: () => server.stop() };
}
