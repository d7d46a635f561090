import type { AttachmentLocator } from './parts/attachments';
import { isArchive, isContainer, isGzip, isTar } from './parts/kinds/document-kinds';
import type { ContainedFileRef } from './containers/loaded-container';

/**
 * Identifies a file in an attached container: in the attachment itself, or in a mail or signature within an archive. The latter is
 * cached as a separate container, because it may be many times as large as the archive.
 */
export type Contained<Locator> = Locator & { readonly file: ContainedFileRef; readonly packed?: PackedContainer };

/** A container in another one: where it is, and its unpacked size. */
export type PackedContainer = { readonly place: ContainedFileRef; readonly size: number };

/** Identifies a container: the attachment, one that is packed in it, or one nested in either. */
export type ContainerRef<Locator> = Locator & { readonly file?: ContainedFileRef; readonly packed?: PackedContainer };

/** Whether a locator identifies a file in a container. */
export const isContained = <Locator extends AttachmentLocator>(locator: Locator): locator is Contained<Locator> =>
  'file' in locator;

/** The type that the document at a locator is delivered as. */
export const mimeTypeAt = <Locator extends AttachmentLocator>(locator: Locator): string =>
  isContained(locator) ? locator.file.mimeType : locator.mimeType;

/** Nested archives are not extracted, except compressed tar archives: they are intended or hostile. */
export function isExtracted(locator: AttachmentLocator): boolean {
  if (!isContained(locator)) return isContainer(locator.mimeType);
  const { mimeType } = locator.file;
  if (!isArchive(mimeType)) return isContainer(mimeType);
  return locator.packed === undefined && (!isInArchive(locator) || isTarball(locator));
}

/** The type of its direct container. */
function containerType({ mimeType, file, packed }: Contained<AttachmentLocator>): string {
  return file.within?.mimeType ?? packed?.place.mimeType ?? mimeType;
}

function isInArchive(locator: Contained<AttachmentLocator>): boolean {
  return isArchive(containerType(locator));
}

function isTarball(locator: Contained<AttachmentLocator>): boolean {
  return isTar(locator.file.mimeType) && isGzip(containerType(locator));
}

/** The unpacked size of a container that is extracted from an archive; 0 for others. */
export function packedSize(locator: AttachmentLocator, size = 0): number {
  return isContained(locator) && isExtracted(locator) && isInArchive(locator) ? size : 0;
}

export function containerRefOf<Locator extends AttachmentLocator>(locator: Locator, size = 0): ContainerRef<Locator> {
  if (!isContained(locator) || !isInArchive(locator)) return locator;
  return { ...locator, file: undefined, packed: { place: locator.file, size } };
}
