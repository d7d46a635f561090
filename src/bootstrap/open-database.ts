import { join } from 'node:path';
import type { Settings } from '../platform/config/config';
import { startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres';
import { migrate } from './migrate-database';
import { ormOptions } from '../platform/database/orm-options';
import { ENTITIES, MIGRATIONS } from './schema';

/** A database that is there to be used. */
export interface OpenDatabase {
  readonly url: string;
  /** The process whose embedded database this is, when it is not ours. */
  readonly ownerPid: number | null;
  close(): Promise<void>;
}

/** Brings the schema of a database up to date; answers the migrations that ran. */
export function migrateDatabase(url: string): Promise<string[]> {
  return migrate(url, ormOptions({ databaseUrl: url, pool: 2, entities: ENTITIES, migrations: MIGRATIONS }));
}

/** The server of `DATABASE_URL`, or the embedded one below `DATA_DIR`, which alone migrates itself (decisions 8). */
export async function openDatabase(settings: Settings, say: (line: string) => void): Promise<OpenDatabase> {
  if (settings.databaseUrl) return { url: settings.databaseUrl, ownerPid: null, close: () => Promise.resolve() };
  const server = await startEmbeddedPostgres({ dataDir: join(settings.dataDir, 'postgres'), say });
  try {
    if (!server.adopted) await migrateDatabase(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url: server.url, ownerPid: server.ownerPid, close: () => server.stop() };
}
