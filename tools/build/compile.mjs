// Compiles TypeScript to dist/ without checking types, which `npm run typecheck` does, and copies all other files. Only files
// that have changed since the last time: one change takes a second.
//
//   node tools/build/compile.mjs <name of the list of compiled files> <file or folder>…
//
// The options of the compiler are in .swcrc.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import process from 'node:process';
import { transformSync, version } from '@swc/core';
import { filesAt, inRoot, STATE } from './files.mjs';
import { IGNORED } from './targets.mjs';

const [name, ...paths] = process.argv.slice(2);
const options = readFileSync(inRoot('.swcrc'));
const stateFile = join(STATE, `${name}.files.json`);
const before = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
const now = {};

for (const file of paths.flatMap(filesAt)) {
  if (file.endsWith('.d.ts') || IGNORED.some((pattern) => pattern.test(file))) continue;
  const bytes = readFileSync(inRoot(file));
  now[file] = hash(options, version, bytes);
  const output = inRoot(`dist/${file}`).replace(/\.ts$/, '.js');
  if (now[file] === before[file] && existsSync(output)) continue;
  mkdirSync(dirname(output), { recursive: true });
  if (file.endsWith('.ts')) compile(file, bytes.toString('utf8'), output);
  else copyFileSync(inRoot(file), output);
}
writeFileSync(stateFile, JSON.stringify(now));

function compile(file, text, output) {
  const { code, map } = transformSync(text, { filename: inRoot(file), sourceMaps: true });
  writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`);
  const source = relative(dirname(output), inRoot(file));
  writeFileSync(`${output}.map`, JSON.stringify({ ...JSON.parse(map), sources: [source], sourcesContent: undefined }));
}

function hash(...parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex').slice(0, 20);
}
