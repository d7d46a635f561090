// Writes the version of package.json into everything that has the same one; `npm version` runs this.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { URL, fileURLToPath } from 'node:url';
import { VERSION_PLACES } from './version-places.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

for (const [file, pattern] of VERSION_PLACES) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!pattern.test(text)) throw new Error(`${file}: nothing matches ${pattern}.`);
  writeFileSync(join(ROOT, file), text.replace(pattern, version));
}
