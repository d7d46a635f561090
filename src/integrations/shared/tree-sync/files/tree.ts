import type { UnexpectedResponse } from '../../../core/source-errors';

/** A file as a listing shows it. */
export interface TreeFile {
  readonly kind: 'file';
  /** Segments separated by `/`, as the tree's own methods take it. Two files never have the same one. */
  readonly path: string;
  /** Bytes; null where the source does not tell. */
  readonly size: number | null;
  /** Undefined where the source does not tell. */
  readonly modifiedAt: Date | undefined;
  /** Differs when the content may differ: an ETag where there is one, else the time of the last change. */
  readonly version: string;
  /** The source's own id, stable when the file is renamed. */
  readonly externalId?: string;
}

export interface TreeFolder {
  readonly kind: 'folder';
  readonly path: string;
  /** Differs when anything below may differ (Nextcloud's ETags of folders). Absent where the protocol knows no such thing. */
  readonly version?: string;
}

/** Something in a folder that the source has, and does not tell or give out. */
export interface UnreadableEntry {
  readonly kind: 'gap';
  /** What the walk fails with in the end, after all else has been handed on. Names the folder. */
  readonly error: UnexpectedResponse;
}

/** Files in folders, on somebody's server: what a protocol has to offer so that it can be walked. */
export interface Tree {
  /**
   * What is in a folder, in any order, in portions that fit in memory; without `.` and `..`. Throws `SelectionNotFound` when it is
   * not there or may not be read, `PermissionMissing` when the key has no right to it, and the other errors of `source-errors.ts`.
   */
  list(folder: string): AsyncIterable<readonly (TreeFile | TreeFolder | UnreadableEntry)[]>;
  /** The same file as it is now, null when it is gone. */
  stat(file: TreeFile): Promise<TreeFile | null>;
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder that a path lies in, by the name that it is listed by. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '.' : path.slice(0, end) || '/';
}

/** Whether a path is a folder or lies below it; everything lies below `''`, the start folder, but what begins at the root. */
export function isBelow(path: string, folder: string): boolean {
  if (folder === '' || folder === '.') return !path.startsWith('/');
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
