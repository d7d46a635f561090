import type { Kind } from '../parts/document-kinds';

/** More files than any sender of invoices puts into one wrapper, and into those in it. */
export const MAX_FILES = 1_000;

/** A file in a wrapper (a zip archive, a signed mail). */
export interface ContainedFile {
  /** Its place in the wrapper, which never changes. */
  readonly index: number;
  /** Without folders; absent where the wrapper does not tell. */
  readonly name?: string;
  readonly kind: Kind;
  /** Bytes, unwrapped; what proves to be more or less fails on the way. */
  readonly size: number;
  readonly crc32: number;
  /** Its bytes. @throws ContainerUnreadable while they are read */
  read(): AsyncIterable<Buffer>;
}

/** What a wrapper holds that may be a document. */
export interface ContainerContent {
  readonly files: readonly ContainedFile[];
  /** The text of a mail that has no files, as a document; wanted by those who take texts for documents. */
  readonly text?: ContainedFile;
}

/** The wrapper is broken, encrypted, too large, or made in a way that nobody reads. */
export class ContainerUnreadable extends Error {
  override readonly name = 'ContainerUnreadable';
}
