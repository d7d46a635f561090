import type { Json } from '../../../core/source-document';
import { UnexpectedResponse } from '../../../core/source-errors';
import type { TreeFile } from './tree';

/** Where the bytes of a file are, and of which version; stored with the document, so that a later fetch can open it. */
export type FileRef = Pick<TreeFile, 'path' | 'size' | 'version'>;

/** The same where a source always tells the size. */
export type SizedFileRef = FileRef & { readonly size: number };

export const FileRef = {
  of: ({ path, size, version }: TreeFile): FileRef => ({ path, size, version }),

  /** Reads a stored locator. Throws `UnexpectedResponse` when it is not one of ours. */
  read(stored: Json): FileRef {
    const value = stored as Partial<FileRef> | null;
    const isWhole =
      value !== null &&
      typeof value === 'object' &&
      typeof value.path === 'string' &&
      typeof value.version === 'string' &&
      (value.size === null || Number.isSafeInteger(value.size));
    if (!isWhole) throw new UnexpectedResponse('The stored place of a file is not readable.');
    return value as FileRef;
  },

  /** The same where a source always tells the size. */
  readSized(stored: Json): SizedFileRef {
    const { size, ...rest } = FileRef.read(stored);
    if (size === null) throw new UnexpectedResponse('The stored place of a file has no size.');
    return { ...rest, size };
  },
};
