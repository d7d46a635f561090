import type { FilterReason } from '../../../core/filter-reason';
import { createHash } from 'node:crypto';
import { startOfDay } from './start-of-day';
import { displayFilename } from '../files/filename-encoding';
import { globMatcher, isPartialUpload, isSystemFile } from '../files/glob-patterns';
import { isBelow, nameOf, type TreeFile } from '../files/tree';
import { MAX_CONTAINER_BYTES } from '../../mail/containers/container';
import { containerTypeOf, fitsEndings, saysNothing, selectedEndings } from './file-endings';
import { ALL } from './file-selection-fields';

/** What the selection of a file depends on. */
export type SelectedFile = Pick<TreeFile, 'path' | 'modifiedAt'> & { readonly size?: number | null };

/** The selection of files by both steps. */
export interface FileSelection {
  /** The selected folders; none is nested in another. */
  readonly folders: readonly string[];
  /** Changes with the selection. */
  readonly digest: string;
  /** The beginning of the start date; null without one. */
  readonly since: Date | null;
  /**
   * Why a file below a selected folder is not fetched; undefined for one that is. A file without a time is in time, one without a
   * size is not empty.
   */
  exclusion(file: SelectedFile, folder: string): FilterReason | undefined;
}

/** Builds the selection from the stored second step, with defaults for missing fields. `startdate` is `YYYY-MM-DD`. */
export function fileSelection(
  step2: Readonly<Record<string, unknown>>,
  startFolder: string,
  startdate: string | null,
  timeZone: string,
): FileSelection {
  const chosen = texts(step2['folders']);
  const folders = withoutNested(chosen.length > 0 ? chosen : [startFolder]);
  const kinds = texts(step2['file_types']);
  const endings = selectedEndings(step2);
  const [include, exclude] = [text(step2['include']), text(step2['exclude'])];
  const [isIncluded, isExcluded] = [globMatcher(include), globMatcher(exclude)];
  const since = startdate === null ? null : startOfDay(startdate, timeZone);
  return {
    folders,
    digest: digest([folders, kinds, include, exclude, since?.toISOString() ?? null]),
    since,
    exclusion({ path, modifiedAt, size }, folder) {
      if (since !== null && modifiedAt !== undefined && modifiedAt < since) return 'BEFORE_STARTDATE';
      if (size === 0) return 'EMPTY';
      const below = isBelow(path, folder) && folder !== '.' && folder !== '' ? path.slice(folder.length) : path;
      const relative = displayFilename(below).replace(/^\/+|\/$/g, '');
      // All files are all: nothing is left out by its name.
      if (endings && isPartialUpload(relative)) return 'PARTIAL_UPLOAD';
      if (endings && isSystemFile(relative)) return 'SYSTEM_FILE';
      if (endings && !mayHoldDocument(relative, size, endings)) return 'TYPE';
      return (include.trim() === '' || isIncluded(relative)) && !isExcluded(relative) ? undefined : 'PATTERN';
    },
  };
}

/** Whether a file is of a selected kind, or has to be opened to know (`opening-files.ts`). Large containers are not opened. */
function mayHoldDocument(path: string, size: number | null | undefined, endings: ReadonlySet<string>): boolean {
  if (fitsEndings(path, endings)) return true;
  if (containerTypeOf(path, endings) !== undefined) return (size ?? 0) <= MAX_CONTAINER_BYTES;
  return saysNothing(nameOf(path));
}

/**
 * The selection of files of the kind `native`, which have no content until they are exported and no extension; null when they are
 * not selected.
 */
export function nativeFileSelection(
  native: string,
  step2: Readonly<Record<string, unknown>>,
  ...rest: [startFolder: string, startdate: string | null, timeZone: string]
): FileSelection | null {
  const kinds = texts(step2['file_types']);
  return kinds.includes(native) || kinds.includes(ALL) ? fileSelection({ ...step2, file_types: [ALL] }, ...rest) : null;
}

/** A short fingerprint of a JSON value. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 24);
}

function withoutNested(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)];
  return unique.filter((folder) => !unique.some((other) => other !== folder && isBelow(folder, other)));
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
