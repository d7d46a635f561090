import type { UnexpectedResponse } from '../../../core/source-errors';

/** A listed file. */
export interface TreeFile {
  readonly kind: 'file';
  /** Unique path with `/` as separator, as the tree's methods accept it. */
  readonly path: string;
  /** The size in bytes; null when unknown. */
  readonly size: number | null;
  /** Undefined when unknown. */
  readonly modifiedAt: Date | undefined;
  /** Changes when the content may have changed: an ETag if available, else the time of the last change. */
  readonly version: string;
  /** The source's own id, stable when the file is renamed. */
  readonly externalId?: string;
}

export interface TreeFolder {
  readonly kind: 'folder';
  readonly path: string;
  /** Changes when anything below may have changed (Nextcloud's ETags of folders). Absent when the protocol has no such version. */
  readonly version?: string;
}

/** An entry of a folder that cannot be listed or read. */
export interface UnreadableEntry {
  readonly kind: 'unreadable';
  /** The error of the synchronization, thrown after all other entries are processed. Names the folder. */
  readonly error: UnexpectedResponse;
}

/** Files in folders on a server: the operations that a protocol provides for `syncTree`. */
export interface Tree {
  /**
   * Lists a folder in any order, in portions that fit in memory, without `.` and `..`. Throws `SelectionNotFound` when it does not
   * exist or is not readable, `PermissionMissing` when the key lacks a permission, and the other errors of `source-errors.ts`.
   */
  list(folder: string): AsyncIterable<readonly (TreeFile | TreeFolder | UnreadableEntry)[]>;
  /** The current state of a file, null when it no longer exists. */
  stat(file: TreeFile): Promise<TreeFile | null>;
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of the parent folder, as used for listing. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '.' : path.slice(0, end) || '/';
}

/** Whether a path is a folder or below it; everything except absolute paths is below `''`, the start folder. */
export function isBelow(path: string, folder: string): boolean {
  if (folder === '' || folder === '.') return !path.startsWith('/');
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
