// Compiles TypeScript to dist/ without checking types, which `npm run typecheck` does, and copies all other files. Only files
// that have changed since the last time: one change takes a second.
//
//   node tools/build/compile.mjs <tsconfig> <file or folder>…
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import ts from 'typescript';
import { filesAt, inRoot, ROOT, STATE } from './files.mjs';
import { IGNORED } from './targets.mjs';

const [configFile, ...paths] = process.argv.slice(2);
const options = readOptions(configFile);
const stateFile = join(STATE, `${basename(configFile)}.files.json`);
const before = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
const now = {};

for (const file of paths.flatMap(filesAt)) {
  if (file.endsWith('.d.ts') || IGNORED.some((pattern) => pattern.test(file))) continue;
  const bytes = readFileSync(inRoot(file));
  now[file] = hash(JSON.stringify(options), ts.version, bytes);
  const output = inRoot(`dist/${file}`).replace(/\.ts$/, '.js');
  if (now[file] === before[file] && existsSync(output)) continue;
  mkdirSync(dirname(output), { recursive: true });
  if (file.endsWith('.ts')) compile(file, bytes.toString('utf8'), output);
  else copyFileSync(inRoot(file), output);
}
writeFileSync(stateFile, JSON.stringify(now));

function compile(file, text, output) {
  const { outputText, sourceMapText } = ts.transpileModule(text, { compilerOptions: options, fileName: inRoot(file) });
  writeFileSync(output, outputText);
  if (!sourceMapText) return;
  const source = join(
    ...dirname(file)
      .split('/')
      .map(() => '..'),
    '..',
    file,
  );
  writeFileSync(`${output}.map`, JSON.stringify({ ...JSON.parse(sourceMapText), sources: [source] }));
}

function readOptions(path) {
  const { config, error } = ts.readConfigFile(inRoot(path), ts.sys.readFile);
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}

function hash(...parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex').slice(0, 20);
}
