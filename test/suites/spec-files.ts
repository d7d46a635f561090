import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LONG_SUITES, SUITES, UI_SUITES } from './suites';

export const ROOT = resolve(__dirname, '../..');

/** The test commands that run suites, and the names of the spec files that each one takes. */
export const RUNS = [
  { command: 'npm test', suites: SUITES, names: /\.(e2e-)?spec\.ts$/ },
  { command: 'npm run test:long', suites: LONG_SUITES, names: /\.long-spec\.ts$/ },
  { command: 'npm run test:ui', suites: UI_SUITES, names: /\.ui-spec\.ts$/ },
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
