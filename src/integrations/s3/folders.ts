import type { FieldOption } from '../core/field';
import { nameOf } from '../shared/tree-sync/files/tree';
import { listObjects } from './list-objects';
import type { S3Client } from './s3-client';
import { prefixOf, START_FOLDER, withoutSlash } from './s3-tree';

const START: FieldOption = {
  value: START_FOLDER,
  label: { en: 'Whole bucket', de: 'Ganzer Bucket' },
  hasChildren: false,
};
/** A user is waiting, and more folders cannot be displayed reasonably. */
const MAX_PAGES = 10;
const CONCURRENT_LOOKUPS = 8;

/** One level of the folder tree: the whole bucket and its first level, or what is in `parent`. */
export async function listFolders(client: S3Client, parent?: string): Promise<FieldOption[]> {
  const options: FieldOption[] = [];
  let pages = 0;
  for await (const { prefixes } of listObjects(client, { prefix: prefixOf(parent ?? START_FOLDER), delimiter: '/' })) {
    for (const prefix of prefixes) {
      const value = prefix.slice(0, -1);
      // Keys that start with a slash or with `START_FOLDER` can only be selected with the whole bucket.
      if (nameOf(value) === '' || value === START_FOLDER || value.includes('\0')) continue;
      options.push({ value, label: nameOf(value), hasChildren: true });
    }
    if (++pages === MAX_PAGES) break;
  }
  return parent === undefined ? [START, ...options] : options;
}

/**
 * The folders with these paths, null for missing ones. Labels are full paths, because a selected folder is shown without its tree.
 * Folders in `chosen`, the former selection, are kept: a folder without objects does not exist, and those of an inbox come and go.
 */
export async function findFolders(
  client: S3Client,
  paths: readonly string[],
  chosen: readonly string[],
): Promise<(FieldOption | null)[]> {
  const found: (FieldOption | null)[] = [];
  for (let at = 0; at < paths.length; at += CONCURRENT_LOOKUPS) {
    const some = paths.slice(at, at + CONCURRENT_LOOKUPS);
    found.push(...(await Promise.all(some.map((path) => findFolder(client, path, chosen)))));
  }
  return found;
}

async function findFolder(client: S3Client, path: string, chosen: readonly string[]): Promise<FieldOption | null> {
  if (path === START_FOLDER) return START;
  const folder: FieldOption = { value: path, label: withoutSlash(path) };
  if (chosen.map(withoutSlash).includes(withoutSlash(path))) return folder;
  for await (const { isEmpty } of listObjects(client, { prefix: prefixOf(path), delimiter: '/', pageSize: 1 })) {
    return isEmpty ? null : folder;
  }
  return null;
}
