import { Readable } from 'node:stream';
import { addFiltered, type FilteredBy, filteredBy, NOTHING_FILTERED, totalFiltered } from '../../core/filter-reason';
import type { DocumentRef, SourceDocument } from '../../core/source-document';
import { DocumentUnavailable } from '../../core/source-errors';
import type { AttachmentChoice } from './parts/kinds/attachment-choice';
import type { AttachmentLocator, Attachments } from './parts/attachments';
import { documentsOf } from './contained-documents';
import {
  type Contained,
  type ContainerRef,
  containerRefOf,
  isExtracted,
  mimeTypeAt,
  type PackedContainer,
  packedSize,
} from './contained-locator';
import { isArchive } from './parts/kinds/document-kinds';
import { LoadedContainer } from './containers/loaded-container';
import { type AcquiredContainer, ContainerCache } from './containers/container-cache';
import { sniffType } from './containers/sniff-type';
import { type ContainerOptions, MAX_CONTAINER_BYTES, MAX_FILES, ContainerUnreadable } from './containers/container';

/** The maximum size of all attachments in memory: two of the largest, or many small ones. */
const MEMORY_BYTES = 2 * MAX_CONTAINER_BYTES;
/** Attachments whose beginnings are read at the same time. */
const SNIFFED_TOGETHER = 16;
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
 * Extracts the documents in attached archives, mails and signed mails. An archive within an archive is delivered unchanged,
 * like a container that is broken, too large, or encrypted with a password that is not known: the client may be able to process it.
 */
export class ContainerAttachments<Locator extends AttachmentLocator> {
  private readonly cache = new ContainerCache<LoadedContainer>(MEMORY_BYTES);
  private readonly packedCache = new ContainerCache<LoadedContainer>(MEMORY_BYTES);

  constructor(
    private readonly attachments: Attachments<Locator>,
    private readonly choice: AttachmentChoice = 'documents',
    private readonly passwords: readonly string[] = [],
  ) {}

  /**
   * Replaces containers by the documents in them and determines unknown kinds by content. With `texts` the text of a signed mail
   * without attachments is a document, too. @throws what opening an attachment throws
   */
  async extract(documents: readonly DocumentRef[], texts = false): Promise<Extracted> {
    const extracted: Extracted[] = [];
    for (let at = 0; at < documents.length; at += SNIFFED_TOGETHER) {
      const together = documents.slice(at, at + SNIFFED_TOGETHER);
      const sniffed = await Promise.all(together.map((ref) => sniffType(ref, this.attachments, this.choice)));
      for (const each of sniffed) {
        if (typeof each === 'string') extracted.push({ documents: [], filteredBy: filteredBy(each, 1) });
        else extracted.push(await this.extractOne(each, texts, 0));
      }
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

  private get options(): ContainerOptions {
    return { choice: this.choice, passwords: this.passwords };
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
      const others = addFiltered(content.filteredBy, empty);
      // A container that holds nothing counts itself.
      const isEmpty = documents.length === 0 && totalFiltered(others) === 0;
      const itself = isArchive(mimeTypeAt(this.attachments.locatorOf(ref.locator))) ? 'EMPTY' : 'ATTACHED_MAIL';
      return { documents, filteredBy: isEmpty ? filteredBy(itself, 1) : others };
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
        this.options,
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
      return await LoadedContainer.load((await container.fileAt(place)).read(), place.mimeType, this.options);
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
