import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { addFiltered, type FilteredBy, filteredBy, NOTHING_FILTERED } from '../../core/filter-reason';
import type { DocumentRef, SourceDocument } from '../../core/source-document';
import { DocumentUnavailable } from '../../core/source-errors';
import type { AttachmentChoice } from './parts/attachment-choice';
import type { AttachmentLocator, Attachments } from './parts/attachments';
import { fitsKind } from './parts/document-kinds';
import {
  type Contained,
  type ContainerRef,
  containerRefOf,
  isExtracted,
  packedSize,
  type PackedContainer,
} from './contained-locator';
import { type ContainedFileRef, MAX_CONTAINER_BYTES, LoadedContainer } from './containers/loaded-container';
import { type AcquiredContainer, ContainerCache } from './containers/container-cache';
import { nameParts } from './parts/part-names';
import { sniffType } from './containers/sniff-type';
import { MAX_FILES, type ContainedFile, ContainerUnreadable } from './containers/container';

/** The maximum size of all attachments in memory: two of the largest, or many small ones. */
const MEMORY_BYTES = 2 * MAX_CONTAINER_BYTES;
/** Enough for several signatures within an archive. */
const MAX_DEPTH = 5;
/** The maximum unpacked size of the mails in one archive: parsing takes a second per ten megabytes, and a small archive may contain many. */
const MAX_PACKED_BYTES = 2 * MAX_CONTAINER_BYTES;

/** The documents in attachments, and the number of files that are not taken. */
export interface Extracted {
  readonly documents: readonly DocumentRef[];
  readonly filteredBy: FilteredBy;
}

/**
 * Extracts the documents in attached zip archives, mails and signed mails. An archive within an archive is delivered unchanged,
 * like a container that is encrypted, broken or too large: the client may be able to process it.
 */
export class ContainerAttachments<Locator extends AttachmentLocator> {
  private readonly cache = new ContainerCache<LoadedContainer>(MEMORY_BYTES);
  private readonly packedCache = new ContainerCache<LoadedContainer>(MEMORY_BYTES);

  constructor(
    private readonly attachments: Attachments<Locator>,
    private readonly choice: AttachmentChoice = 'documents',
  ) {}

  /**
   * Replaces containers by the documents in them and determines unknown kinds by content. With `texts` the text of a signed mail
   * without attachments is a document, too. @throws what opening an attachment throws
   */
  async extract(documents: readonly DocumentRef[], texts = false): Promise<Extracted> {
    const extracted: Extracted[] = [];
    for (const ref of documents) {
      const sniffed = await sniffType(ref, this.attachments, this.choice);
      if (typeof sniffed === 'string') extracted.push({ documents: [], filteredBy: filteredBy(sniffed, 1) });
      else extracted.push(await this.extractOne(sniffed, texts, 0));
    }
    return joined(extracted);
  }

  /**
   * Opens a file in a container, which stays in memory until the file's stream is closed. Waits while the memory limit is reached.
   * @throws DocumentUnavailable, and what opening an attachment throws; the stream fails with the same errors
   */
  async openFile({ filename }: DocumentRef, locator: Contained<Locator>): Promise<SourceDocument> {
    const { file: place } = locator;
    try {
      const { container, release } = await this.acquire(locator);
      const file = await container.fileAt(place).catch((error: unknown) => {
        release();
        throw error;
      });
      const stream = Readable.from(mapUnreadable(file.read()), { objectMode: false });
      stream.once('close', release);
      return { stream, filename, mimeType: place.mimeType, size: file.size };
    } catch (error) {
      throw unavailable(error);
    }
  }

  private async extractOne(ref: DocumentRef, texts: boolean, depth: number): Promise<Extracted> {
    const locator = this.attachments.locatorOf(ref.locator);
    if (!isExtracted(locator) || depth === MAX_DEPTH) return whole(ref);
    const contained = await this.documentsIn(ref, containerRefOf(locator, ref.size), texts);
    if (!contained) return whole(ref);
    const extracted: Extracted[] = [{ documents: [], filteredBy: contained.filteredBy }];
    let count = 0;
    let left = MAX_PACKED_BYTES;
    for (const each of contained.documents) {
      const size = packedSize(this.attachments.locatorOf(each.locator), each.size);
      const fits = size <= left;
      if (fits) left -= size;
      const files = fits ? await this.extractOne(each, texts, depth + 1) : whole(each);
      // A small archive of mails may contain any number of small attachments.
      const taken = count + files.documents.length <= MAX_FILES ? files : whole(each);
      count += taken.documents.length;
      extracted.push(taken);
    }
    return joined(extracted);
  }

  /** The documents in a container; undefined when it cannot be extracted. */
  private async documentsIn(
    ref: DocumentRef,
    containerRef: ContainerRef<Locator>,
    texts: boolean,
  ): Promise<Extracted | undefined> {
    if ((ref.size ?? 0) > MAX_CONTAINER_BYTES) return undefined;
    try {
      const { container, release } = await this.acquire(containerRef);
      const content = await container.contentAt(containerRef.file).finally(release);
      const files = texts && content.text ? [content.text] : content.files;
      if (files.length > MAX_FILES) return undefined;
      const documents = documentsOf(files, ref, containerRef);
      const empty = filteredBy('EMPTY', files.length - documents.length);
      return { documents, filteredBy: addFiltered(content.filteredBy, empty) };
    } catch (error) {
      // The same failure is reported when the document is downloaded.
      if (error instanceof ContainerUnreadable || error instanceof DocumentUnavailable) return undefined;
      throw error;
    }
  }

  /** The whole attachment, or a container packed in it. Separate caches, because a packed container waits for the attachment that holds it. */
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
      LoadedContainer.load(
        (await attachments.open(locator)).stream as AsyncIterable<Buffer>,
        locator.mimeType,
        this.choice,
      ),
    );
  }

  /**
   * Loads a packed container. It waits for the archive while holding its reservation; no holder of an archive waits for such a
   * reservation, so that no deadlock is possible.
   */
  private async unpack(locator: ContainerRef<Locator>, { place }: PackedContainer): Promise<LoadedContainer> {
    const { container, release } = await this.acquire({ ...locator, packed: undefined });
    try {
      return await LoadedContainer.load((await container.fileAt(place)).read(), place.mimeType, this.choice);
    } finally {
      release();
    }
  }
}

const whole = (ref: DocumentRef): Extracted => ({ documents: [ref], filteredBy: NOTHING_FILTERED });

function joined(extracted: readonly Extracted[]): Extracted {
  return {
    documents: extracted.flatMap(({ documents }) => documents),
    filteredBy: addFiltered(...extracted.map((each) => each.filteredBy)),
  };
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
    const contained: Contained<AttachmentLocator> = { ...containerRef, file };
    // Without the name, because its decoding may improve.
    const dedupeKey = `mail:${sha256(JSON.stringify([ref.dedupeKey, index, crc32, size]))}`;
    return { ...ref, dedupeKey, filename: names[place]!, locator: contained, size };
  });
}

/** The name for files without one: `Rechnung.pdf.p7m` contains it, `smime.p7m` does not. */
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

/** Permanent: a later fetch finds the same content. */
function unavailable(error: unknown): unknown {
  if (!(error instanceof ContainerUnreadable)) return error;
  return new DocumentUnavailable(`A file in an attachment cannot be read: ${error.message}`, true, {
    problem: 'DAMAGED',
  });
}
