import type { FilteredBy } from '../../../core/filter-reason';
import type { Kind } from '../parts/document-kinds';

/** The maximum number of files in a container, including nested ones. */
export const MAX_FILES = 1_000;

/** A file in a container (a zip archive, a mail, a signed mail). */
export interface ContainedFile {
  /** Its permanent position in the container. */
  readonly index: number;
  /** Without folders; absent when the container has no name for it. */
  readonly name?: string;
  readonly kind: Kind;
  /** The extracted size in bytes; reading fails when the actual size differs. */
  readonly size: number;
  readonly crc32: number;
  /** Its content. @throws ContainerUnreadable while reading */
  read(): AsyncIterable<Buffer>;
}

/** The possible documents in a container. */
export interface ContainerContent {
  readonly files: readonly ContainedFile[];
  /** The number of files that are not taken, by reason. */
  readonly filteredBy: FilteredBy;
  /** The text of a mail without files as a document, for connections that take texts. */
  readonly text?: ContainedFile;
}

/** The container is broken, encrypted, too large or in an unsupported format. */
export class ContainerUnreadable extends Error {
  override readonly name = 'ContainerUnreadable';
}
