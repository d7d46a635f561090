import type { Kind } from '../parts/document-kinds';

/** More files than any sender of invoices puts into one wrapper, and into those in it. */
export const MAX_FILES = 1_000;

/** A file in a wrapper (a zip archive, a signed mail). */
export interface WrappedFile {
  /** Its place in the wrapper, which never changes. */
  readonly index: number;
  /** Without folders; absent where the wrapper does not tell. */
  readonly name?: string;
  readonly kind: Kind;
  /** Bytes, unwrapped; what proves to be more or less fails on the way. */
  readonly size: number;
  readonly crc32: number;
  /** Its bytes. @throws WrapperUnreadable while they are read */
  read(): AsyncIterable<Buffer>;
}

/** What a wrapper holds that may be a document. */
export interface WrapperContent {
  readonly files: readonly WrappedFile[];
  /** The text of a mail that has no files, as a document; wanted by those who take texts for documents. */
  readonly text?: WrappedFile;
}

/** The wrapper is broken, encrypted, too large, or made in a way that nobody reads. */
export class WrapperUnreadable extends Error {
  override readonly name = 'WrapperUnreadable';
}
