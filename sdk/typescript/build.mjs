// Builds the SDK: src/generated/ from openapi.json of the repository, and dist/ from src/. Does nothing when nothing has
// changed. It runs automatically before tests, type checks and lint; `npm run sdk` runs it manually.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MODULES = join(HERE, '../../node_modules');
const DOCUMENT = join(HERE, '../../openapi.json');
const GENERATED = join(HERE, 'src/generated');
const DIST = join(HERE, 'dist');
const STAMP = join(GENERATED, '.stamp');

/** Hash of all inputs of the SDK. */
function fingerprint() {
  const sources = readdirSync(join(HERE, 'src')).filter((name) => name.endsWith('.ts'));
  const files = [
    DOCUMENT,
    fileURLToPath(import.meta.url),
    join(HERE, 'tsconfig.json'),
    join(MODULES, '@hey-api/openapi-ts/package.json'),
    join(MODULES, 'typescript/package.json'),
    ...sources.sort().map((name) => join(HERE, 'src', name)),
  ];
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file.slice(HERE.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

function isFresh(wanted) {
  return existsSync(join(DIST, 'index.js')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
}

async function generate(into) {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: DOCUMENT,
    output: { path: into, entryFile: false, module: { extension: '.js' } },
    logs: { level: 'silent', file: false },
    plugins: [
      { name: '@hey-api/client-fetch', baseUrl: false, throwOnError: true },
      '@hey-api/typescript',
      // A client is always required: a shared one could send the key of one environment for another.
      { name: '@hey-api/sdk', client: false, responseStyle: 'data' },
    ],
  });
  rmSync(join(into, 'client.gen.ts')); // the shared client
  dropEventStreams(join(into, 'core/serverSentEvents.gen.ts'));
  writeFileSync(join(into, 'repeatable.gen.ts'), repeatablePosts());
}

/** No operation answers with an event stream, and bundlers cannot tell: pages would load the code that reads them. */
function dropEventStreams(file) {
  const code = readFileSync(file, 'utf8');
  const start = code.indexOf('export function createSseClient');
  if (start < 0) throw new Error(`${file} has changed: see dropEventStreams.`);
  writeFileSync(
    file,
    `${code.slice(0, start)}export function createSseClient(_: ServerSentEventsOptions): ServerSentEventsResult {
  throw new Error('Docfetch has no event streams.');
}
`,
  );
}

/** The POST operations that accept an `Idempotency-Key`, which makes them safe to repeat. */
function repeatablePosts() {
  const { paths, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const resolve = (parameter) =>
    parameter.$ref ? components.parameters[parameter.$ref.replace('#/components/parameters/', '')] : parameter;
  const repeatable = Object.keys(paths).filter((path) =>
    (paths[path].post?.parameters ?? []).map(resolve).some(({ name }) => name.toLowerCase() === 'idempotency-key'),
  );
  return [
    '// build.mjs generates this file from openapi.json.\n',
    '/** The paths whose POST accepts an `Idempotency-Key`. */',
    `export const REPEATABLE_POSTS: readonly string[] = ${JSON.stringify(repeatable, null, 2)};\n`,
  ].join('\n');
}

function compile(into) {
  const tsc = join(MODULES, 'typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', HERE, '--outDir', into], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The SDK does not compile.');
}

/** Replaces the old folder by the finished one. */
function replace(place, finished, old) {
  if (existsSync(place)) renameSync(place, old);
  renameSync(finished, place);
}

const wanted = fingerprint();
if (!isFresh(wanted)) {
  const stage = mkdtempSync(join(HERE, '.stage-'));
  try {
    await generate(join(stage, 'generated'));
    replace(GENERATED, join(stage, 'generated'), join(stage, 'old-generated'));
    compile(join(stage, 'dist'));
    replace(DIST, join(stage, 'dist'), join(stage, 'old-dist'));
    writeFileSync(STAMP, wanted);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
