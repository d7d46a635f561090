import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Compresses a file at build time instead of at every request, unless that saves less than 10 %. */
function compress(file) {
  const bytes = readFileSync(file);
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  if (brotli.length > bytes.length * 0.9) return;
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

/** Builds an application with Vite into `out`, and compresses its files. */
export async function buildPages(configFile, out) {
  process.env.NODE_ENV = 'production';
  await build({ configFile, logLevel: 'warn' });
  for (const file of filesBelow(join(out, 'assets'))) compress(file);
}
