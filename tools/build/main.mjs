// Builds dist/ when the content of its sources differs from that of the last build, and does nothing otherwise.
// package.json runs it before start, migrate, cli and demo, so that none of them runs code of another version. `npm run build`
// runs it manually. `--background` returns at once and builds while the next program runs. Without sources, as in the image, there is nothing to build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';
import { filesAt, inRoot, ROOT, STATE } from './files.mjs';
import { IGNORED, TARGETS } from './targets.mjs';

const LOCK_MS = 600_000;
/** A longer build shows its progress at this interval. */
const PROGRESS_MS = 2_000;
const SQLITE_BUSY = 5;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// Standard output is reserved for the program that runs next.
const print = (text) => process.stderr.write(text);
const stampOf = (name) => join(STATE, name);

/** A hash of the names and contents of all inputs of a target. */
function fingerprint({ inputs }) {
  const files = inputs.flatMap(filesAt).filter((file) => !IGNORED.some((pattern) => pattern.test(file)));
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const bytes = readFileSync(inRoot(file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

function isFresh(name, target, wanted) {
  return (
    existsSync(stampOf(name)) &&
    readFileSync(stampOf(name), 'utf8') === wanted &&
    target.outputs.every((path) => existsSync(inRoot(path)))
  );
}

/** Resolves when no other command builds. The kernel releases the lock whenever the process ends. */
async function takeLock() {
  const { DatabaseSync } = await import('node:sqlite');
  const lock = new DatabaseSync(join(STATE, 'lock'), { timeout: 0 });
  const take = () => lock.exec('BEGIN EXCLUSIVE');
  try {
    take();
  } catch (error) {
    if (error.errcode !== SQLITE_BUSY) throw error;
    print('Waiting for another command that builds …\n');
    lock.exec(`PRAGMA busy_timeout = ${LOCK_MS}`);
    take();
  }
  return lock;
}

/** Fails for packages that differ from the lock file, because the build would count as built with the locked ones. */
function assertInstalled() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    const manifest = inRoot(`node_modules/${name}/package.json`);
    const installed = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version;
    // A package under another name: `npm:<package>@<version>`.
    const wanted = version.replace(/^npm:.+@/, '');
    if (installed !== wanted) throw new Error(`${name} ${wanted} is not installed. Run "npm ci" first.`);
  }
}

/** Runs one command to its end, or until a signal to this process ends it. Returns its output. */
async function run(command) {
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const stop = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, stop);
  const [status, signal] = await once(child, 'close');
  for (const name of SIGNALS) process.off(name, stop);
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${signal ?? status}.\n${output}`.trim());
  return output;
}

/** Files of dist/ without a source, such as a deleted guide. */
function removeLeftovers({ folders }) {
  for (const file of folders.flatMap((folder) => filesAt(`dist/${folder}`))) {
    const source = inRoot(relative('dist', file));
    const compiled = source.replace(/\.js(\.map)?$/, '.ts');
    if (!existsSync(source) && !existsSync(compiled)) rmSync(inRoot(file));
  }
}

async function build(name, target) {
  mkdirSync(STATE, { recursive: true });
  const lock = await takeLock();
  try {
    const wanted = fingerprint(target);
    if (isFresh(name, target, wanted)) return; // the command that held the lock has built it
    assertInstalled();
    const start = performance.now();
    print(`Building ${target.about} … `);
    // From here on dist/ is incomplete: an interrupted build leaves no stamp.
    rmSync(stampOf(name), { force: true });
    let output = '';
    const progress = setInterval(() => print('… '), PROGRESS_MS);
    try {
      for (const command of target.commands) output += await run(command);
    } finally {
      clearInterval(progress);
    }
    removeLeftovers(target);
    writeFileSync(`${stampOf(name)}.new`, wanted);
    renameSync(`${stampOf(name)}.new`, stampOf(name));
    print(`done in ${Math.ceil((performance.now() - start) / 1000)} s.\n${output}`);
  } finally {
    lock.close();
  }
}

async function ensureBuilt(name) {
  const target = TARGETS[name];
  if (target.after) await ensureBuilt(target.after);
  if (!isFresh(name, target, fingerprint(target))) await build(name, target);
}

/** For a target that the next program can do without until it is built. A failure shows when the target is built manually. */
function buildInBackground(name) {
  const target = TARGETS[name];
  if (isFresh(name, target, fingerprint(target))) return;
  spawn(process.execPath, [...process.argv.slice(1, 2), name], { cwd: ROOT, detached: true, stdio: 'ignore' }).unref();
}

const [name = 'service', option] = process.argv.slice(2);
if (existsSync(inRoot('src')) && option === '--background') {
  buildInBackground(name);
} else if (existsSync(inRoot('src'))) {
  try {
    await ensureBuilt(name);
  } catch (error) {
    print(`\nDocfetch cannot be built: ${error.message}\n`);
    process.exitCode = 1;
  }
}
