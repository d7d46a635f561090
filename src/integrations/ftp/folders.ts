import type { FieldOption } from '../core/field';
import { displayFilename } from '../shared/tree-sync/files/filename-encoding';
import { nameOf } from '../shared/tree-sync/files/tree';
import { classifyFolder, codeOf } from './ftp-errors';
import type { FtpPool } from './ftp-pool';
import { absolute, listFolder, pathOf, START_FOLDER } from './listing/list-folder';

const START: FieldOption = {
  value: START_FOLDER,
  label: { en: 'Start folder (everything)', de: 'Startordner (alles)' },
  hasChildren: false,
};

/**
 * One level of the folder tree: the start folder with its folders, or the folders in `parent`. Throws `SelectionNotFound` when
 * `parent` does not exist.
 */
export async function listFolders(pool: FtpPool, parent?: string): Promise<FieldOption[]> {
  const options: FieldOption[] = [];
  const folder = parent ?? START_FOLDER;
  for (const entries of (await listFolder(pool, folder)).portions()) {
    for (const entry of entries.filter(({ isDirectory }) => isDirectory)) {
      const value = pathOf(folder, entry);
      // Their contents are unknown.
      options.push({ value, label: displayFilename(nameOf(value)), hasChildren: true });
    }
  }
  options.sort((a, b) => a.value.localeCompare(b.value, 'de', { numeric: true }));
  return parent === undefined ? [START, ...options] : options;
}

/** The folders with these paths, null for missing ones. Labels are full paths, because a selected folder is shown without its tree. */
export function findFolders(pool: FtpPool, paths: readonly string[]): Promise<(FieldOption | null)[]> {
  return pool.use(async (connection) => {
    const found: (FieldOption | null)[] = [];
    for (const path of paths) {
      if (path === START_FOLDER) found.push(START);
      // Names with line breaks cannot be requested.
      else if (/[\r\n\0]/.test(path)) found.push(null);
      else {
        try {
          await connection.client.send(`CWD ${absolute(connection, path)}`);
          found.push({ value: path, label: displayFilename(path) });
        } catch (error) {
          if (codeOf(error) === undefined) throw classifyFolder(error, 'FTP');
          found.push(null);
        }
      }
    }
    return found;
  });
}
