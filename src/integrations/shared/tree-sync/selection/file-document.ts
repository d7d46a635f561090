import type { DocumentRef } from '../../../core/source-document';
import { FileRef } from '../files/file-ref';
import { displayFilename } from '../files/filename-encoding';
import { fileSource } from '../files/file-source';
import { nameOf, type TreeFile } from '../files/tree';
import { digest } from './file-selection';

/** Identifies a version of a file. Hashed, because paths may exceed the length of a key. */
export function keyOf({ path, size, version }: TreeFile): string {
  return `file:${digest([path, size, version])}`;
}

/** A file as a document that is deduplicated by content. */
export function reference(file: TreeFile): DocumentRef {
  return {
    dedupeKey: keyOf(file),
    isSameByContent: true,
    externalId: file.externalId ?? null,
    // Object keys may end with a slash.
    filename: displayFilename(nameOf(file.path.replace(/\/$/, ''))),
    metadata: { source: fileSource(displayFilename(file.path), file.modifiedAt) },
    locator: FileRef.of(file),
    ...(file.size !== null && { size: file.size }),
  };
}
