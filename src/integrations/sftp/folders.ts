import type { FileEntry } from 'ssh2';
import type { FieldOption } from '../core/field';
import { SelectionNotFound } from '../core/source-errors';
import { nameOf } from '../shared/tree-sync/files/tree';
import type { SftpConnection } from './reconnecting-sftp';
import { childOf, isGarbled, kindOf, listFolder, START_FOLDER, typeOf } from './sftp-tree';
import { statusOf } from './sftp-errors';

const START: FieldOption = {
  value: START_FOLDER,
  label: { en: 'Start folder (everything)', de: 'Startordner (alles)' },
  hasChildren: false,
};
const ROOT: FieldOption = { value: '/', label: { en: 'Server root', de: 'Stammverzeichnis des Servers' } };
/** The maximum number of links per folder, because each is resolved separately. */
const MAX_LINKS = 200;

/**
 * One level of the folder tree: the start folder with its folders and, if different, the server's root; or the folders in `parent`.
 * Throws `SelectionNotFound` when `parent` does not exist.
 */
export async function listFolders(connection: SftpConnection, parent?: string): Promise<FieldOption[]> {
  if (parent !== undefined) return children(connection, parent);
  const [home, below] = await Promise.all([connection.realpath(START_FOLDER), children(connection, START_FOLDER)]);
  const root = home === '/' ? [] : await children(connection, '/').catch(ifClosed);
  return [START, ...below, ...(root.length > 0 ? [{ ...ROOT, hasChildren: true }] : [])];
}

/** The folders with these paths, null for missing ones. Labels are full paths, because a selected folder is shown without its tree. */
export function findFolders(connection: SftpConnection, paths: readonly string[]): Promise<(FieldOption | null)[]> {
  return Promise.all(
    paths.map(async (path) => {
      if (path === START_FOLDER) return START;
      if (!(await isFolder(connection, path))) return null;
      return path === '/' ? ROOT : { value: path, label: path };
    }),
  );
}

async function children(connection: SftpConnection, parent: string): Promise<FieldOption[]> {
  const options: FieldOption[] = [];
  let links = 0;
  for await (const entries of listFolder(connection, parent)) {
    for (const entry of entries) {
      const path = childOf(parent, entry.filename);
      const kind = kindOf(entry);
      // A name that is not UTF-8 cannot be requested.
      if (isGarbled(entry.filename)) continue;
      if (kind === 'folder') options.push(option(path, mayHaveFolders(entry)));
      else if (kind === 'link' && links++ < MAX_LINKS && (await isFolder(connection, path)))
        options.push(option(path, true));
    }
  }
  return options.sort((a, b) => a.value.localeCompare(b.value, 'de', { numeric: true }));
}

function option(path: string, hasChildren: boolean): FieldOption {
  return { value: path, label: nameOf(path), hasChildren };
}

/**
 * Whether a folder may contain folders. Servers list entries like `ls -l`, with the number of links: two, plus one for each folder.
 * True when unknown.
 */
function mayHaveFolders({ longname }: FileEntry): boolean {
  const links = /^d\S+\s+(\d+)\s/.exec(longname)?.[1];
  return links !== '2';
}

async function isFolder(connection: SftpConnection, path: string): Promise<boolean> {
  try {
    const type = typeOf(await connection.stat(path));
    if (type !== 'unknown') return type === 'folder';
    connection.close(await connection.opendir(path));
    return true;
  } catch (error) {
    if (statusOf(error) !== undefined) return false;
    throw error;
  }
}

function ifClosed(error: unknown): FieldOption[] {
  if (error instanceof SelectionNotFound) return [];
  throw error;
}
