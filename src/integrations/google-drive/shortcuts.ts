import { type DriveApi, type DriveFile, FOLDER, SHORTCUT } from './drive-api';
import type { DriveTree, GoogleDriveEntry } from './drive-tree';

/** What shortcuts in the chosen folders lead to and is not there itself. */
export interface Links {
  /** Folders; they are places of the tree now. */
  readonly folders: ReadonlySet<string>;
  /** Files, with the folder that the shortcut lies in. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Follows the shortcuts in the chosen folders, and those in the folders that they lead to. Where a shortcut leads to something that is
 * in a chosen folder anyway, or not the user's to see, it is passed over.
 */
export async function followShortcuts(api: DriveApi, tree: DriveTree): Promise<Links> {
  const folders = new Set<string>();
  const files = new Map<string, string>();
  const asked = new Set<string | undefined>();
  let waiting: DriveFile[] = [];
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const drive of tree.places.map(({ driveId }) => driveId).filter((id) => !asked.has(id))) {
      if (asked.has(drive)) continue;
      asked.add(drive);
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
      const target = await api.fileIfThere(targetId);
      if (!target || (await tree.pathOf(target)) !== null) continue;
      tree.add({ id: targetId, driveId: target.driveId, path });
      folders.add(targetId);
      isDone = false; // what was outside may be inside by now
    }
    waiting = outside;
  }
  return { folders, files };
}

/** Files that shortcuts lead to. One that lies in a chosen folder is found there. */
export async function* linkedFiles(
  api: DriveApi,
  tree: DriveTree,
  files: Iterable<readonly [string, string]>,
): AsyncGenerator<readonly GoogleDriveEntry[]> {
  for (const [id, folder] of files) {
    const file = await api.fileIfThere(id);
    if (!file || file.trashed || (await tree.pathOf(file)) !== null) continue;
    yield [{ file, path: pathIn(folder, file) }];
  }
}

/** The way to a file that a shortcut in the folder leads to. */
export const pathIn = (folder: string, { name }: Pick<DriveFile, 'name'>): string =>
  (folder === '' ? '' : `${folder}/`) + name.replaceAll('/', '_');

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
