import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

/** The names of the spec files of `npm test`, and of those that `npm run test:long` runs because they take long. */
export const SPEC = /\.(e2e-)?spec\.ts$/;
export const LONG_SPEC = /\.long-spec\.ts$/;

/** The absolute paths of all spec files below these folders, which are relative to the repository, in order. */
export function findSpecFiles(folders: readonly string[], names = SPEC): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => names.test(name) && !name.includes('node_modules'))
      .sort()
      .map((name) => join(ROOT, folder, name)),
  );
}
