import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

/** The absolute paths of all spec files below these folders, which are relative to the repository, in order. */
export function findSpecFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(e2e-)?spec\.ts$/.test(name) && !name.includes('node_modules'))
      .sort()
      .map((name) => join(ROOT, folder, name)),
  );
}
