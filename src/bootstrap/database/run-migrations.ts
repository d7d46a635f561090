import type { Settings } from '../../platform/config/settings';
import type { Output } from '../start-service';
import { startupError } from '../startup-error';
import { verifyInstallation } from '../verify-installation';
import { migrateDatabase, openDatabase } from './open-database';

/** Migrates the database of the settings. Resolves with the exit status: 0, or 1 after one line with the reason. */
export async function runMigrations(given: Settings, { stdout, stderr }: Output): Promise<number> {
  try {
    const settings = withSession(given);
    const database = await openDatabase(settings, () => undefined);
    try {
      await verifyInstallation(database, settings, { oldSchema: true });
      const ran = await migrateDatabase(database.url, settings.databasePooler);
      stdout.write(ran.length > 0 ? `Migrated: ${ran.join(', ')}\n` : 'The schema is up to date.\n');
      return 0;
    } finally {
      await database.close();
    }
  } catch (error) {
    stderr.write(`The migration failed: ${startupError(error)}\n`);
    return 1;
  }
}

/**
 * The settings with an address that keeps the session of a connection: the lock of the migration belongs to its session.
 * @throws Error in one sentence when there is none
 */
function withSession(settings: Settings): Settings {
  const { databasePooler, databaseDirectUrl } = settings;
  // It may be a pooler too, in session mode.
  if (databaseDirectUrl !== null) return settings.with({ databaseUrl: databaseDirectUrl, databasePooler: 'session' });
  if (databasePooler === 'transaction') {
    throw new Error(
      'DATABASE_DIRECT_URL is required with DATABASE_POOLER=transaction: the address of the database without the pooler.',
    );
  }
  return settings;
}
