import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LONG_SUITES, POOLER_SUITES, SUITES, UI_SUITES } from './suites';

export const ROOT = resolve(__dirname, '../..');

/** The test commands that run suites, the names of the spec files that each one takes, and whether it takes all of them. */
export const RUNS = [
  { command: 'npm test', suites: SUITES, names: /\.(e2e-)?spec\.ts$/, takesAll: true },
  { command: 'npm run test:long', suites: LONG_SUITES, names: /\.long-spec\.ts$/, takesAll: true },
  { command: 'npm run test:ui', suites: UI_SUITES, names: /\.ui-spec\.ts$/, takesAll: true },
  { command: 'npm run test:pooler', suites: POOLER_SUITES, names: /\.e2e-spec\.ts$/, takesAll: false },
] as const;

/** The absolute paths of all spec files below these folders, which are relative to the repository, in order. */
export function findSpecFiles(folders: readonly string[], names: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => names.test(name) && !name.includes('node_modules'))
      .sort()
      .map((name) => join(ROOT, folder, name)),
  );
}
