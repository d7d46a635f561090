// Builds the drop-in: connect/dist, the content of the package, and dist/connect/v1.js, which the service serves. tools/build/
// runs it when a source has changed; `npm run connect` runs it manually. It fails when the script is too large.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DIST = join(HERE, 'dist');
const SERVED = join(HERE, '../dist/connect');
/** The browser's script, compressed with gzip, in bytes. */
const MAX_BYTES = 5_000;

rmSync(DIST, { recursive: true, force: true });
const tsc = join(HERE, '../node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', join(HERE, 'tsconfig.build.json')], { stdio: 'inherit' });
if (status !== 0) throw new Error('The drop-in does not compile.');

const script = join(DIST, 'v1.js');
await build({
  entryPoints: [join(HERE, 'src/v1.ts')],
  outfile: script,
  allowOverwrite: true,
  bundle: true,
  minify: true,
  format: 'iife',
  // As the hosted UI (ui/vite.config.mjs).
  target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
  logLevel: 'warning',
});
rmSync(join(DIST, 'v1.d.ts'));

const bytes = readFileSync(script);
const gzip = gzipSync(bytes, { level: 9 });
if (gzip.length > MAX_BYTES) throw new Error(`v1.js has ${gzip.length} bytes with gzip; ${MAX_BYTES} are allowed.`);
mkdirSync(SERVED, { recursive: true });
copyFileSync(script, join(SERVED, 'v1.js'));
writeFileSync(join(SERVED, 'v1.js.gz'), gzip);
writeFileSync(join(SERVED, 'v1.js.br'), brotliCompressSync(bytes));
