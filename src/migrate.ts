import './bootstrap/check-node';
import { migrateDatabase, openDatabase } from './bootstrap/database/open-database';
import { loadSettings } from './bootstrap/load-settings';
import { verifyInstallation } from './bootstrap/verify-installation';
import { startupError } from './bootstrap/startup-error';

/** Runs the migration step (decisions 8), before a new version is started. */
async function main(): Promise<void> {
  const settings = loadSettings();
  const database = await openDatabase(settings, () => undefined);
  try {
    await verifyInstallation(database, settings, { oldSchema: true });
    const ran = await migrateDatabase(database.url);
    process.stdout.write(ran.length > 0 ? `Migrated: ${ran.join(', ')}\n` : 'The schema is up to date.\n');
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`The migration failed: ${startupError(error)}\n`);
  process.exit(1);
});
