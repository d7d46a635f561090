import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DocumentRef, SourceDocument } from '../../core/source-document';
import { DocumentUnavailable } from '../../core/source-errors';
import type { AttachmentLocator, Attachments } from './parts/attachments';
import { fitsKind, isArchive, isContainer } from './parts/document-kinds';
import { type ContainedFileRef, MAX_CONTAINER_BYTES, LoadedContainer } from './containers/loaded-container';
import { type AcquiredContainer, ContainerCache } from './containers/container-cache';
import { nameParts } from './parts/part-names';
import { sniffType } from './containers/sniff-type';
import { MAX_FILES, type ContainedFile, ContainerUnreadable } from './containers/container';

/** Of all attachments that are in memory at once: two of the largest, or many small ones. */
const MEMORY_BYTES = 2 * MAX_CONTAINER_BYTES;
/** Signed by one after the other, and sent in an archive. */
const MAX_DEPTH = 5;
/** Of the mails in one archive, unpacked: they take a second for each ten megabytes, and a small archive may hold many. */
const MAX_PACKED_BYTES = 2 * MAX_CONTAINER_BYTES;

/**
 * Where a file in an attached wrapper is: in the attachment, or in a mail or signature that is packed in an archive there. Such a
 * one is a wrapper of its own in memory, for it may be many times as large as what it is packed in.
 */
export type Contained<Locator> = Locator & { readonly file: ContainedFileRef; readonly packed?: PackedContainer };

type PackedContainer = { readonly place: ContainedFileRef; readonly size: number };

/** A wrapper that is looked into: the attachment, one that is packed in it, or one at a place in either. */
type ContainerRef<Locator> = Locator & { readonly file?: ContainedFileRef; readonly packed?: PackedContainer };

/** Whether a locator leads into a wrapper. */
export const isContained = <Locator extends AttachmentLocator>(locator: Locator): locator is Contained<Locator> =>
  'file' in locator;

/** The type that the document at a locator is delivered as. */
export const mimeTypeAt = <Locator extends AttachmentLocator>(locator: Locator): string =>
  isContained(locator) ? locator.file.mimeType : locator.mimeType;

/**
 * The documents in attached zip archives, mails and signed mails. An archive in an archive is a document as it is, and so is a
 * wrapper that is encrypted, broken or too large: whoever gets it may know what to do with it.
 */
export class ContainerAttachments<Locator extends AttachmentLocator> {
  private readonly cache = new ContainerCache<LoadedContainer>(MEMORY_BYTES);
  private readonly packedCache = new ContainerCache<LoadedContainer>(MEMORY_BYTES);

  constructor(private readonly attachments: Attachments<Locator>) {}

  /**
   * The same documents, those of unknown kind told by their content, wrappers replaced by what is in them. With `texts` the text of a
   * signed mail that has no attachments is a document, too. @throws what opening an attachment throws
   */
  async extract(documents: readonly DocumentRef[], texts = false): Promise<DocumentRef[]> {
    const extracted: DocumentRef[] = [];
    for (const ref of documents) {
      const sniffed = await sniffType(ref, this.attachments);
      if (sniffed) extracted.push(...(await this.extractOne(sniffed, texts, 0)));
    }
    return extracted;
  }

  /**
   * Opens a file in a wrapper, which stays in memory until the file's stream has closed. Waits while too many do.
   * @throws DocumentUnavailable, and what opening an attachment throws; its stream too
   */
  async openFile({ filename }: DocumentRef, locator: Contained<Locator>): Promise<SourceDocument> {
    const { file: place } = locator;
    try {
      const { container: wrapper, release: done } = await this.acquire(locator);
      const file = await wrapper.fileAt(place).catch((error: unknown) => {
        done();
        throw error;
      });
      const stream = Readable.from(mapUnreadable(file.read()), { objectMode: false });
      stream.once('close', done);
      return { stream, filename, mimeType: place.mimeType, size: file.size };
    } catch (error) {
      throw unavailable(error);
    }
  }

  private async extractOne(ref: DocumentRef, texts: boolean, depth: number): Promise<DocumentRef[]> {
    const locator = this.attachments.locatorOf(ref.locator);
    if (!isExtracted(locator) || depth === MAX_DEPTH) return [ref];
    const inside = await this.documentsIn(ref, containerRefOf(locator, ref.size), texts);
    if (!inside) return [ref];
    const extracted: DocumentRef[] = [];
    let left = MAX_PACKED_BYTES;
    for (const each of inside) {
      const size = packedSize(this.attachments.locatorOf(each.locator), each.size);
      const fits = size <= left;
      if (fits) left -= size;
      const files = fits ? await this.extractOne(each, texts, depth + 1) : [each];
      // A small archive of mails may hold any number of small attachments.
      extracted.push(...(extracted.length + files.length <= MAX_FILES ? files : [each]));
    }
    return extracted;
  }

  /** Undefined for what cannot be looked into. */
  private async documentsIn(
    ref: DocumentRef,
    containerRef: ContainerRef<Locator>,
    texts: boolean,
  ): Promise<DocumentRef[] | undefined> {
    if ((ref.size ?? 0) > MAX_CONTAINER_BYTES) return undefined;
    try {
      const { container: wrapper, release: done } = await this.acquire(containerRef);
      const content = await wrapper.contentAt(containerRef.file).finally(done);
      const files = texts && content.text ? [content.text] : content.files;
      return files.length > MAX_FILES ? undefined : documentsOf(files, ref, containerRef);
    } catch (error) {
      // What keeps it from being read now is found again when it is opened.
      if (error instanceof ContainerUnreadable || error instanceof DocumentUnavailable) return undefined;
      throw error;
    }
  }

  /** The whole attachment, or what is packed in it: what waits for the wrappers in one would wait for what this one holds. */
  private acquire(locator: ContainerRef<Locator>): Promise<AcquiredContainer<LoadedContainer>> {
    const { attachments } = this;
    const { packed } = locator;
    const key = attachments.keyOf(locator);
    if (packed) {
      return this.packedCache.acquire(
        `${key} ${JSON.stringify(packed.place)}`,
        Math.min(packed.size, MAX_CONTAINER_BYTES),
        () => this.unpack(locator, packed),
      );
    }
    const sniffed = attachments.sizeOf?.(locator) ?? 0;
    const bytes = sniffed > 0 ? Math.min(sniffed, MAX_CONTAINER_BYTES) : MAX_CONTAINER_BYTES;
    return this.cache.acquire(key, bytes, async () =>
      LoadedContainer.load((await attachments.open(locator)).stream as AsyncIterable<Buffer>, locator.mimeType),
    );
  }

  /** Waits for the archive while it holds room for what is packed: whoever has an archive open never waits for that room. */
  private async unpack(locator: ContainerRef<Locator>, { place }: PackedContainer): Promise<LoadedContainer> {
    const { container: wrapper, release: done } = await this.acquire({ ...locator, packed: undefined });
    try {
      return await LoadedContainer.load((await wrapper.fileAt(place)).read(), place.mimeType);
    } finally {
      done();
    }
  }
}

/** Archives in archives are not looked into: whoever sends such wants them so, or means no good. */
function isExtracted(locator: AttachmentLocator): boolean {
  if (!isContained(locator)) return isContainer(locator.mimeType);
  const { mimeType } = locator.file;
  return isContainer(mimeType) && !(isArchive(mimeType) && (locator.packed ?? isInArchive(locator)));
}

/** Whether an archive is what is directly around it. */
function isInArchive({ mimeType, file, packed }: Contained<AttachmentLocator>): boolean {
  return isArchive(file.within?.mimeType ?? packed?.place.mimeType ?? mimeType);
}

/** Unpacked bytes of a wrapper that is looked into and lies in an archive; none for what is something else. */
function packedSize(locator: AttachmentLocator, size = 0): number {
  return isContained(locator) && isExtracted(locator) && isInArchive(locator) ? size : 0;
}

function containerRefOf<Locator extends AttachmentLocator>(locator: Locator, size = 0): ContainerRef<Locator> {
  if (!isContained(locator) || !isInArchive(locator)) return locator;
  return { ...locator, file: undefined, packed: { place: locator.file, size } };
}

function documentsOf(
  all: readonly ContainedFile[],
  ref: DocumentRef,
  containerRef: ContainerRef<AttachmentLocator>,
): DocumentRef[] {
  const files = all.filter(({ size }) => size > 0);
  const names = nameParts(files, nameFor(files, ref));
  return files.map(({ index, crc32, size, kind: { mimeType } }, place): DocumentRef => {
    const file: ContainedFileRef = { index, crc32, mimeType, ...(containerRef.file && { within: containerRef.file }) };
    const inside: Contained<AttachmentLocator> = { ...containerRef, file };
    // The name is left out, for its decoding may improve.
    const dedupeKey = `mail:${sha256(JSON.stringify([ref.dedupeKey, index, crc32, size]))}`;
    return { ...ref, dedupeKey, filename: names[place]!, locator: inside, size };
  });
}

/** For files that have no name: `Rechnung.pdf.p7m` tells one, `smime.p7m` does not. */
function nameFor([first]: readonly ContainedFile[], { filename, metadata }: DocumentRef): string {
  const bare = filename.replace(/\.p7m$/i, '');
  return first && fitsKind(bare, first.kind) ? bare : (metadata.source?.subject ?? bare);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

async function* mapUnreadable(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw unavailable(error);
  }
}

/** No later fetch finds it in a better state. */
function unavailable(error: unknown): unknown {
  if (!(error instanceof ContainerUnreadable)) return error;
  return new DocumentUnavailable(`A file in an attachment cannot be read: ${error.message}`, true);
}
