import type { Json } from '../../../core/source-document';
import { UnexpectedResponse } from '../../../core/source-errors';
import type { TreeFile } from './tree';

/** Identifies a file and its version; stored with the document, so that a later fetch can download it. */
export type FileRef = Pick<TreeFile, 'path' | 'size' | 'version'>;

/** A file reference of a source that always states the size. */
export type SizedFileRef = FileRef & { readonly size: number };

export const FileRef = {
  of: ({ path, size, version }: TreeFile): FileRef => ({ path, size, version }),

  /** Parses a stored file reference. @throws UnexpectedResponse when it is invalid */
  read(stored: Json): FileRef {
    const value = stored as Partial<FileRef> | null;
    const isWhole =
      value !== null &&
      typeof value === 'object' &&
      typeof value.path === 'string' &&
      typeof value.version === 'string' &&
      (value.size === null || Number.isSafeInteger(value.size));
    if (!isWhole) throw new UnexpectedResponse('The stored reference of a file is invalid.');
    return value as FileRef;
  },

  /** Parses a stored file reference with a size. @throws UnexpectedResponse when it is invalid */
  readSized(stored: Json): SizedFileRef {
    const { size, ...rest } = FileRef.read(stored);
    if (size === null) throw new UnexpectedResponse('The stored reference of a file has no size.');
    return { ...rest, size };
  },
};
