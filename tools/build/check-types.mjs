// Checks the types of every project here, and compiles nothing. `typescript-7` is TypeScript's compiler in Go, which needs a
// fifth of the time. ESLint and the builds use `typescript`: version 7 has no programming interface for them yet.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const PROJECTS = ['.', 'ui', 'console', 'connect', 'test/ui'];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript-7/bin/tsc');

for (const project of PROJECTS) {
  const { status } = spawnSync(process.execPath, [COMPILER, '--noEmit', '-p', project], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
