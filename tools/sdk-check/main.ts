import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATORS } from './generators';

/**
 * `npm run sdk:check`: generates a client from openapi.json with every generator, in a separate folder outside of the
 * repository, and compiles it under `strict`, its libraries' types included, together with a program that uses it.
 */
const root = process.cwd();
/** As `npm run typecheck`: `node_modules/.bin/tsc` may be that of either version. */
const COMPILER = join(root, 'node_modules/typescript-7/bin/tsc');

/** No `skipLibCheck`: a client's types have to compile with its imports. The DOM library declares `fetch`. */
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  target: 'ES2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
  skipLibCheck: false,
};

let failed = 0;
for (const { name, command, args, use } of GENERATORS) {
  const folder = mkdtempSync(join(tmpdir(), 'docfetch-sdk-'));
  try {
    copyFileSync(join(root, 'openapi.json'), join(folder, 'openapi.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'generated'));
    writeFileSync(join(folder, 'use.ts'), use);
    const config = { compilerOptions: COMPILER_OPTIONS, include: ['generated', 'use.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    run(folder, join(root, 'node_modules/.bin', command), args);
    run(folder, process.execPath, [COMPILER, '-p', '.']);
    process.stdout.write(`${name}: compiles\n`);
  } catch (error) {
    failed += 1;
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    process.stdout.write(`${name}: FAILED\n${stdout}${stderr}${stdout || stderr ? '' : String(error)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = failed > 0 ? 1 : 0;

function run(cwd: string, program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
}
