import { createHash } from 'node:crypto';
import type { DocumentRef } from '../../core/source-document';
import type { Contained, ContainerRef } from './contained-locator';
import type { ContainedFile } from './containers/container';
import type { ContainedFileRef } from './containers/loaded-container';
import type { AttachmentLocator } from './parts/attachments';
import { fitsKind } from './parts/kinds/document-kinds';
import { nameParts } from './parts/part-names';

/** The documents that the files of a container become. Empty files are left out. */
export function documentsOf(
  all: readonly ContainedFile[],
  ref: DocumentRef,
  containerRef: ContainerRef<AttachmentLocator>,
): DocumentRef[] {
  const files = all.filter(({ size }) => size > 0);
  const names = nameParts(files, nameFor(files, ref));
  return files.map(({ index, crc32, size, kind: { mimeType } }, place): DocumentRef => {
    const file: ContainedFileRef = { index, crc32, mimeType, ...(containerRef.file && { within: containerRef.file }) };
    const contained: Contained<AttachmentLocator> = { ...containerRef, file };
    // Without the name, because its decoding may improve.
    const dedupeKey = `mail:${sha256(JSON.stringify([ref.dedupeKey, index, crc32, size]))}`;
    return { ...ref, dedupeKey, filename: names[place]!, locator: contained, size };
  });
}

/** The name for files without one: `Rechnung.pdf.p7m` and `Rechnung.pdf.gz` contain it, `smime.p7m` does not. */
function nameFor([first]: readonly ContainedFile[], { filename, metadata }: DocumentRef): string {
  const bare = filename.replace(/\.(p7m|gz)$/i, '');
  return first && fitsKind(bare, first.kind) ? bare : (metadata.source?.subject ?? bare);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
