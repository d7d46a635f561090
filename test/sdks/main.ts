import { Semaphore } from 'async-mutex';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Command, LANGUAGES } from './languages';
import { ServiceForSdks } from './service-for-sdks';

const ROOT = resolve(__dirname, '../../..');
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Count {
  readonly passed: number;
  readonly failed: number;
}

/**
 * `npm run sdk:test [language…]`: generates, builds and installs each SDK, and runs its own tests against one built service.
 * Returns the number of all tests.
 */
async function main(wanted: readonly string[]): Promise<Count> {
  const names = wanted.length > 0 ? wanted : Object.keys(LANGUAGES);
  const unknown = names.filter((name) => !(name in LANGUAGES));
  if (unknown.length > 0) throw new Error(`There is no SDK for ${unknown.join(', ')}.`);
  const dataDir = mkdtempSync(join(tmpdir(), 'docfetch-sdks-'));
  chmodSync(dataDir, 0o755); // the account of the embedded database has to reach it
  const started = ServiceForSdks.start(ROOT, dataDir);
  started.catch(() => undefined); // is awaited below
  try {
    // Generators, compilers and package managers use one core or wait for the network; more would only disturb each other.
    const atOnce = new Semaphore(Math.max(2, availableParallelism()));
    const counts = await Promise.all(names.map((name) => atOnce.runExclusive(() => check(name, started))));
    const failed = counts.reduce((sum, count) => sum + count.failed, 0);
    if (failed === 0) rmSync(dataDir, { recursive: true });
    return { passed: counts.reduce((sum, count) => sum + count.passed, 0), failed };
  } finally {
    await (await started).stop();
  }
}

/** Builds the SDK, while the service may still start, and runs its tests. */
async function check(name: string, started: Promise<ServiceForSdks>): Promise<Count> {
  const { prepare, test, result, passed } = LANGUAGES[name]!;
  const began = performance.now();
  const folder = join(ROOT, 'sdk', name);
  const generation = { command: process.execPath, args: [join(ROOT, 'sdk/generate.mjs'), name] };
  for (const command of [generation, ...prepare]) {
    const { status, output } = await run(command, folder, process.env);
    if (status === 0) continue;
    print(`${output}\n${name}: ${command.command} ${command.args.join(' ')} failed`);
    return { passed: 0, failed: 1 };
  }
  const prepared = performance.now();
  const variables = await (await started).variables(name);
  const env = { ...process.env, ...variables, DOCFETCH_SAMPLES: join(ROOT, 'test/samples/signatures') };
  const tested = performance.now();
  const { status, output } = await run(test, folder, env);
  const results = [...output.matchAll(result)].map(([, word]) => word);
  const good = results.filter((word) => word === passed).length;
  const bad = results.length - good;
  // A run can also fail as a whole: it does not compile, or it ends early.
  const count = { passed: good, failed: bad === 0 && (status !== 0 || good === 0) ? 1 : bad };
  if (count.failed > 0) print(output);
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  const times = `built in ${seconds(began, prepared)}, waited ${seconds(prepared, tested)} for the service, tests ${seconds(tested, performance.now())}`;
  print(`${name}: ${count.passed} of ${count.passed + count.failed} passed (${times})`);
  return count;
}

async function run(
  { command, args, cwd = '.' }: Command,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ status: number | null; output: string }> {
  const child = spawn(command, args, { cwd: join(folder, cwd), env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  child.once('close', () => process.off('exit', kill));
  const failure = once(child, 'error').then(([error]: Error[]) => ({ status: null, output: error!.message }));
  const end = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [status]]) => ({ status: status as number | null, output: stdout + stderr }),
  );
  return Promise.race([failure, end]);
}

main(process.argv.slice(2)).then(
  ({ passed, failed }) => {
    print(`\n${passed} passed, ${failed} failed`);
    process.exit(failed === 0 ? 0 : 1);
  },
  (error: unknown) => {
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    print('0 passed, 1 failed');
    process.exit(1);
  },
);
