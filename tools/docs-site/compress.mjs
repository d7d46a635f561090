/** Compresses files at build time instead of at every request, unless that saves less than 10 %. */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { filesBelow } from './site-files.mjs';

const COMPRESSIBLE = /\.(html|js|css|svg|txt|md)$/;
/** The highest levels cost ten times as much for a few percent, and the site is built while somebody waits. */
const [BROTLI_QUALITY, GZIP_LEVEL] = [7, 6];

export function compressFiles(folder) {
  for (const file of filesBelow(folder).filter((each) => COMPRESSIBLE.test(each))) {
    const bytes = readFileSync(file);
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
    if (brotli.length > bytes.length * 0.9) continue;
    writeFileSync(`${file}.br`, brotli);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: GZIP_LEVEL }));
  }
}
