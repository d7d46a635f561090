import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Imported first by every entry point: on an old Node the libraries fail with unclear errors. */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `Docfetch needs Node 24, this is ${process.versions.node}. npm ci brings the right one for Linux: use npm start, npm run demo, npm run cli -- … or npm run migrate. Elsewhere, or with --omit=optional, install Node 24.\n`,
  );
  process.exit(1);
}
/**
 * Keeps the compiled code of the modules for the next process, which starts a quarter faster. Beside the code, because the
 * default folder is shared by all users of the machine. A folder that cannot be written is no error.
 */
enableCompileCache(join(__dirname, '../../.compile-cache'));
