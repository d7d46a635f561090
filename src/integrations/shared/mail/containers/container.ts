import type { FilteredBy } from '../../../core/filter-reason';
import type { AttachmentChoice } from '../parts/kinds/attachment-choice';
import type { Kind } from '../parts/kinds/kinds';

/** The maximum number of files in a container, including nested ones. */
export const MAX_FILES = 1_000;
/** The size limit of common mail servers. Larger containers are not extracted, to bound memory. */
export const MAX_CONTAINER_BYTES = 25 * 1024 * 1024;
/** A file with a larger unpacked size is a bomb or no invoice. */
export const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;

/** Which files of a container are taken, and the passwords to try where it is encrypted. */
export interface ContainerOptions {
  readonly choice: AttachmentChoice;
  readonly passwords: readonly string[];
}

/** A file in a container (an archive, a mail, a signed mail). */
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
