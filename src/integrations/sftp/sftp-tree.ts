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

/** Where a login begins: the home directory on most servers. */
export const START_FOLDER = '.';

/**
 * The files of an SFTP server. Links to files are files; links to folders lead nowhere, for they may lead in circles: who wants what
 * is behind one chooses it as a folder. What has a name that is no UTF-8 cannot be asked for again: of files, opening them tells that,
 * of folders and links a gap.
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
      yield [gap('folder', folder)];
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
    const found = await this.stat(file);
    return found === file ? gap('link', path) : (found ?? undefined);
  }
}

/**
 * Portions of a folder's entries, as the server sends them, without `.` and `..`.
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

/** Whether there were bytes in its name that ssh2 could not read as UTF-8; or somebody has called it so. */
export function isGarbled(path: string): boolean {
  return nameOf(path).includes('\uFFFD');
}

function gap(kind: 'folder' | 'link', path: string): UnreadableEntry {
  return {
    kind: 'gap',
    error: new UnexpectedResponse(`SFTP ${kind} ${path}: its name is no UTF-8, so it cannot be opened.`),
  };
}

/** The path of a folder's child, as it is sent to the server. */
export function childOf(folder: string, name: string): string {
  if (folder === START_FOLDER) return name;
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

type Kind = 'file' | 'folder' | 'link' | 'other';

/** Not every server tells it in the permissions; then it shows in the line as `ls -l` has it. */
export function kindOf({ attrs, longname }: FileEntry): Kind {
  const type = typeOf(attrs);
  if (type !== 'unknown') return type;
  return ({ d: 'folder', l: 'link', '-': 'file' } as const)[longname.charAt(0)] ?? 'other';
}

/** What the permissions tell; `unknown` where they are missing, or without the kind of the file. */
export function typeOf({ mode }: { mode?: number }): Kind | 'unknown' {
  const type = (mode ?? 0) & 0o170000;
  if (type === 0) return 'unknown';
  if (type === 0o040000) return 'folder';
  if (type === 0o120000) return 'link';
  return type === 0o100000 ? 'file' : 'other';
}

/** The protocol tells the time of the last change in whole seconds. */
export function versionOf({ mtime }: { mtime: number }): string {
  return String(mtime);
}

function fileOf(path: string, attributes: Pick<Stats, 'size' | 'mtime'>): TreeFile {
  const modifiedAt = Number.isFinite(attributes.mtime) ? new Date(attributes.mtime * 1000) : undefined;
  return { kind: 'file', path, size: attributes.size, modifiedAt, version: versionOf(attributes) };
}
