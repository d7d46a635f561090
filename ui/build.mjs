// Makes the hosted UI: dist/ui from ui/ and the SDK. Nothing is done when nothing has changed. It is a part of
// every build (tools/build/targets.mjs); `npm run ui` runs it alone.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '..');
const OUT = join(ROOT, 'dist/ui');
const STAMP = join(OUT, '.stamp');

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.spec.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Stands for everything that the UI is made from. */
function fingerprint() {
  const packages = ['vite', 'react', 'react-dom', 'react-aria-components'];
  const files = [
    ...['build.mjs', 'vite.config.mjs', 'only-gregorian.mjs', 'index.html'].map((name) => join(HERE, name)),
    ...filesBelow(join(HERE, 'src')),
    ...filesBelow(join(ROOT, 'sdk/typescript/dist')).filter((name) => name.endsWith('.js')),
    ...packages.map((name) => join(ROOT, 'node_modules', name, 'package.json')),
  ];
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

/** Once here instead of at every request; what hardly gets smaller is left as it is. */
function compress(file) {
  const bytes = readFileSync(file);
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  if (brotli.length > bytes.length * 0.9) return;
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

const wanted = fingerprint();
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
  process.env.NODE_ENV = 'production';
  await build({ configFile: join(HERE, 'vite.config.mjs'), logLevel: 'warn' });
  for (const file of filesBelow(join(OUT, 'assets'))) compress(file);
  writeFileSync(STAMP, wanted);
}
