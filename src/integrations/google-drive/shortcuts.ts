import { type DriveApi, type DriveFile, FOLDER, SHORTCUT } from './drive-api';
import type { DriveTree, GoogleDriveEntry } from './drive-tree';

/** The targets of shortcuts in the selected folders that are outside of them. */
export interface Links {
  /** Folders, which are roots of the tree now. */
  readonly folders: ReadonlySet<string>;
  /** Files, with the folder that contains the shortcut. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Follows the shortcuts in the selected folders and in their target folders. Ignores targets that are in a selected folder or not
 * accessible to the user.
 */
export async function followShortcuts(api: DriveApi, tree: DriveTree): Promise<Links> {
  const folders = new Set<string>();
  const files = new Map<string, string>();
  const listedDrives = new Set<string | undefined>();
  let waiting: DriveFile[] = [];
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const drive of tree.places.map(({ driveId }) => driveId).filter((id) => !listedDrives.has(id))) {
      if (listedDrives.has(drive)) continue;
      listedDrives.add(drive);
      for await (const found of api.list(`mimeType = '${SHORTCUT}' and trashed = false`, drive)) waiting.push(...found);
    }
    const outside: DriveFile[] = [];
    for (const shortcut of waiting) {
      const path = await tree.pathOf(shortcut);
      const { targetId, targetMimeType } = shortcut.shortcutDetails ?? {};
      if (targetId === undefined) continue;
      if (path === null) {
        outside.push(shortcut);
        continue;
      }
      if (targetMimeType !== FOLDER) {
        files.set(targetId, parentOf(path));
        continue;
      }
      const target = await api.fileOrNull(targetId);
      if (!target || (await tree.pathOf(target)) !== null) continue;
      tree.add({ id: targetId, driveId: target.driveId, path });
      folders.add(targetId);
      isDone = false; // shortcuts outside before may be inside now
    }
    waiting = outside;
  }
  return { folders, files };
}

/** The target files of shortcuts, without those in selected folders. */
export async function* linkedFiles(
  api: DriveApi,
  tree: DriveTree,
  files: Iterable<readonly [string, string]>,
): AsyncGenerator<readonly GoogleDriveEntry[]> {
  for (const [id, folder] of files) {
    const file = await api.fileOrNull(id);
    if (!file || file.trashed || (await tree.pathOf(file)) !== null) continue;
    yield [{ file, path: pathIn(folder, file) }];
  }
}

/** The path of the target file of a shortcut in the folder. */
export const pathIn = (folder: string, { name }: Pick<DriveFile, 'name'>): string =>
  (folder === '' ? '' : `${folder}/`) + name.replaceAll('/', '_');

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
