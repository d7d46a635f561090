import type { FileEntry, Stats } from 'ssh2';
import {
  nameOf,
  type Tree,
  type TreeFile,
  type TreeFolder,
  type UnreadableEntry,
} from '../shared/tree-sync/files/tree';
import { SelectionNotFound, UnexpectedResponse, SourceError } from '../core/source-errors';
import { classifyAnswer, statusOf, STATUS } from './sftp-errors';
import type { SftpConnection, ReconnectingSftp } from './reconnecting-sftp';

/** The start folder of a login: the home directory on most servers. */
export const START_FOLDER = '.';

/**
 * The files of an SFTP server. Links to files are files; links to folders are not followed, because they may form cycles, but can
 * be selected as folders. Entries whose name is not UTF-8 cannot be requested: files fail when they are opened, folders and links
 * are listed as unreadable.
 */
export class SftpTree implements Tree {
  constructor(private readonly link: ReconnectingSftp) {}

  async *list(folder: string): AsyncGenerator<(TreeFile | TreeFolder | UnreadableEntry)[]> {
    try {
      for await (const entries of listFolder(await this.link.connection(), folder)) {
        const found = await Promise.all(entries.map((entry) => this.entry(folder, entry)));
        yield found.filter((entry) => entry !== undefined);
      }
    } catch (error) {
      if (!(error instanceof SelectionNotFound && isGarbled(folder))) throw error;
      yield [unreadable('folder', folder)];
    }
  }

  async stat(file: TreeFile): Promise<TreeFile | null> {
    const { path } = file;
    const connection = await this.link.connection();
    try {
      const attributes = await connection.stat(path);
      return ['file', 'unknown'].includes(typeOf(attributes)) ? fileOf(path, attributes) : null;
    } catch (error) {
      if (statusOf(error) === undefined) throw error;
      return isGarbled(path) ? file : null;
    }
  }

  private async entry(folder: string, entry: FileEntry): Promise<TreeFile | TreeFolder | UnreadableEntry | undefined> {
    const { filename, attrs } = entry;
    const path = childOf(folder, filename);
    const kind = kindOf(entry);
    if (kind === 'folder') return { kind, path };
    if (kind === 'file') return fileOf(path, attrs);
    if (kind !== 'link') return undefined;
    const file: TreeFile = { kind: 'file', path, size: 0, modifiedAt: undefined, version: '' };
    const current = await this.stat(file);
    return current === file ? unreadable('link', path) : (current ?? undefined);
  }
}

/**
 * Lists a folder in portions, as the server sends them, without `.` and `..`.
 * Throws `SelectionNotFound` and `Transient`.
 */
export async function* listFolder(connection: SftpConnection, folder: string): AsyncGenerator<FileEntry[]> {
  let handle: Buffer | undefined;
  try {
    handle = await connection.opendir(folder);
    for (;;) yield await connection.readdir(handle);
  } catch (error) {
    if (statusOf(error) === STATUS.EOF && handle) return;
    throw error instanceof SourceError ? error : classifyAnswer(error, `SFTP folder ${folder}`);
  } finally {
    if (handle) connection.close(handle);
  }
}

/** Whether the name contains invalid UTF-8, or a literal replacement character. */
export function isGarbled(path: string): boolean {
  return nameOf(path).includes('\uFFFD');
}

function unreadable(kind: 'folder' | 'link', path: string): UnreadableEntry {
  return {
    kind: 'unreadable',
    error: new UnexpectedResponse(`SFTP ${kind} ${path}: its name is no UTF-8, so it cannot be opened.`),
  };
}

/** The path of a folder's child, as it is sent to the server. */
export function childOf(folder: string, name: string): string {
  if (folder === START_FOLDER) return name;
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

type Kind = 'file' | 'folder' | 'link' | 'other';

/** The kind by the permissions, else by the `ls -l` line, because not every server sends permissions. */
export function kindOf({ attrs, longname }: FileEntry): Kind {
  const type = typeOf(attrs);
  if (type !== 'unknown') return type;
  return ({ d: 'folder', l: 'link', '-': 'file' } as const)[longname.charAt(0)] ?? 'other';
}

/** The kind by the permissions; `unknown` when they are missing or have no file type. */
export function typeOf({ mode }: { mode?: number }): Kind | 'unknown' {
  const type = (mode ?? 0) & 0o170000;
  if (type === 0) return 'unknown';
  if (type === 0o040000) return 'folder';
  if (type === 0o120000) return 'link';
  return type === 0o100000 ? 'file' : 'other';
}

/** The version of a file: the time of the last change, in seconds. */
export function versionOf({ mtime }: { mtime: number }): string {
  return String(mtime);
}

function fileOf(path: string, attributes: Pick<Stats, 'size' | 'mtime'>): TreeFile {
  const modifiedAt = Number.isFinite(attributes.mtime) ? new Date(attributes.mtime * 1000) : undefined;
  return { kind: 'file', path, size: attributes.size, modifiedAt, version: versionOf(attributes) };
}
