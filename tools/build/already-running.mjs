/**
 * Run by `npm run demo` and `npm run seed` before they build: they cannot share the embedded database with a running service,
 * and say so at once instead of after a build. The service checks the same when it opens its database.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pidIfRunning } from '../../src/platform/database/embedded/process-table.ts';

const { DATABASE_URL, DATA_DIR = '.docfetch' } = process.env;
const owner = join(DATA_DIR, 'postgres', 'owner');
const pid = !DATABASE_URL && existsSync(owner) ? pidIfRunning(readFileSync(owner, 'utf8')) : null;
if (pid !== null) {
  process.stderr.write(
    `Docfetch is already running on ${DATA_DIR} (process ${pid}). Stop it first, or set another DATA_DIR.\n`,
  );
  process.exit(1);
}
