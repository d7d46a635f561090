import type { Settings } from '../../platform/config/settings';
import type { Output } from '../start-service';
import { startupError } from '../startup-error';
import { verifyInstallation } from '../verify-installation';
import { migrateDatabase, openDatabase } from './open-database';

/** Migrates the database of the settings. Resolves with the exit status: 0, or 1 after one line with the reason. */
export async function runMigrations(settings: Settings, { stdout, stderr }: Output): Promise<number> {
  try {
    const database = await openDatabase(settings, () => undefined);
    try {
      await verifyInstallation(database, settings, { oldSchema: true });
      const ran = await migrateDatabase(database.url);
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
