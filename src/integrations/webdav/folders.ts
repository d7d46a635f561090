import type { FieldOption } from '../core/field';
import { nameOf } from '../shared/tree-sync/files/tree';
import { type DavTree, START_FOLDER } from './dav-tree';

const START: FieldOption = {
  value: START_FOLDER,
  label: { en: 'Start folder (everything)', de: 'Startordner (alles)' },
  hasChildren: false,
};
const CONCURRENT_LOOKUPS = 8;

/**
 * One level of the folder tree: the start folder with its folders, or the folders in `parent`. Throws `SelectionNotFound` when
 * `parent` does not exist.
 */
export async function listFolders(tree: DavTree, parent?: string): Promise<FieldOption[]> {
  const options: FieldOption[] = [];
  for await (const children of tree.children(parent ?? START_FOLDER)) {
    for (const { path, properties } of children) {
      if (!properties.isFolder) continue;
      // When the number of subfolders is unknown, there may be some.
      options.push({ value: path, label: nameOf(path), hasChildren: properties.folders !== 0 });
    }
  }
  options.sort((a, b) => a.value.localeCompare(b.value, 'de', { numeric: true }));
  return parent === undefined ? [START, ...options] : options;
}

/** The folders with these paths, null for missing ones. Labels are full paths, because a selected folder is shown without its tree. */
export async function findFolders(tree: DavTree, paths: readonly string[]): Promise<(FieldOption | null)[]> {
  const found: (FieldOption | null)[] = [];
  for (let at = 0; at < paths.length; at += CONCURRENT_LOOKUPS) {
    const some = paths.slice(at, at + CONCURRENT_LOOKUPS);
    found.push(...(await Promise.all(some.map((path) => findFolder(tree, path)))));
  }
  return found;
}

async function findFolder(tree: DavTree, path: string): Promise<FieldOption | null> {
  if (path === START_FOLDER) return START;
  const resource = await tree.find(path);
  return resource?.isFolder ? { value: path, label: path } : null;
}
