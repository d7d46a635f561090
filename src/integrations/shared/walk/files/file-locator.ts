import type { Json } from '../../../core/source-document';
import { ContractBroken } from '../../../core/source-errors';
import type { TreeFile } from './tree';

/** Where the bytes of a file are, and of which version; stored with the document, so that a later fetch can open it. */
export type FileLocator = Pick<TreeFile, 'path' | 'size' | 'version'>;

/** The same where a source always tells the size. */
export type SizedLocator = FileLocator & { readonly size: number };

export const FileLocator = {
  of: ({ path, size, version }: TreeFile): FileLocator => ({ path, size, version }),

  /** Reads a stored locator. Throws `ContractBroken` when it is not one of ours. */
  read(stored: Json): FileLocator {
    const value = stored as Partial<FileLocator> | null;
    const isWhole =
      value !== null &&
      typeof value === 'object' &&
      typeof value.path === 'string' &&
      typeof value.version === 'string' &&
      (value.size === null || Number.isSafeInteger(value.size));
    if (!isWhole) throw new ContractBroken('The stored place of a file is not readable.');
    return value as FileLocator;
  },

  /** The same where a source always tells the size. */
  readSized(stored: Json): SizedLocator {
    const { size, ...rest } = FileLocator.read(stored);
    if (size === null) throw new ContractBroken('The stored place of a file has no size.');
    return { ...rest, size };
  },
};
