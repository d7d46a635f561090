/**
 * Run by `npm run demo` and `npm run seed` before they build: they cannot share the embedded database with a running service,
 * and say so at once instead of after a build. The service checks the same when it opens its database.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const { DATABASE_URL, DATA_DIR = '.docfetch' } = process.env;
const pid = DATABASE_URL ? null : ownerOf(join(DATA_DIR, 'postgres', 'owner'));
if (pid !== null) {
  process.stderr.write(
    `Docfetch is already running on ${DATA_DIR} (process ${pid}). Stop it first, or set another DATA_DIR.\n`,
  );
  process.exit(1);
}

/** The live process that runs the database. Its start time distinguishes it from a later process with the same id. */
function ownerOf(file) {
  try {
    const [owner, startedAt] = readFileSync(file, 'utf8').split(' ');
    process.kill(Number(owner), 0);
    if (process.platform !== 'linux') return owner;
    const stat = readFileSync(`/proc/${owner}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state !== 'Z' && fields[18] === startedAt ? owner : null;
  } catch (error) {
    if (error.code === 'EPERM') return readFileSync(file, 'utf8').split(' ')[0];
    return null; // there is no database yet, or its process has ended
  }
}
