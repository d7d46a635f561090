// Builds the package: sdk/cli/dist, which needs no other package. tools/build/ runs it when a source has changed; `npm run
// client` runs it manually.
import { build } from 'esbuild';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');
const DIST = join(HERE, 'dist');
/** What is loaded at every start. It decides how long the start takes. */
const MAX_START_BYTES = 150_000;

rmSync(DIST, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: [join(HERE, 'src/main.ts')],
  outdir: DIST,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Packages in CommonJS require modules of Node.
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
const main = join(DIST, 'main.mjs');
writeFileSync(main, `#!/usr/bin/env node\n${readFileSync(main, 'utf8')}`);
chmodSync(main, 0o755);

/** The licenses of all packages in the bundle. */
function licenses() {
  const folders = new Set(
    Object.keys(metafile.inputs)
      .map((file) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[0])
      .filter(Boolean),
  );
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(ROOT, folder)).find((each) => /^(licen[cs]e|copying)/i.test(each));
    const text = file ? readFileSync(join(ROOT, folder, file), 'utf8').trim() : `License: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
}
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), licenses().join(`\n${'-'.repeat(78)}\n\n`));

/** The entry point with everything that it imports statically. */
function startBytes(output, seen = new Set()) {
  if (seen.has(output)) return 0;
  seen.add(output);
  const { bytes, imports } = metafile.outputs[output];
  const loaded = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  return loaded.reduce((sum, { path }) => sum + startBytes(path, seen), bytes);
}
const entry = Object.keys(metafile.outputs).find((each) => each.endsWith('main.mjs'));
const bytes = startBytes(entry);
if (bytes > MAX_START_BYTES) {
  process.stderr.write(`A start loads ${bytes} bytes; ${MAX_START_BYTES} are allowed.\n`);
  process.exitCode = 1;
}
