import './bootstrap/check-node';
import { loadSettings } from './bootstrap/load-settings';

/** Runs the migration step (decisions 8), before a new version is started. */
async function main(): Promise<void> {
  const settings = loadSettings();
  const { runMigrations } = await import('./bootstrap/database/run-migrations.js');
  process.exit(await runMigrations(settings, process));
}

void main();
