import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DocumentRef, SourceDocument } from '../../source-document';
import { DocumentUnavailable } from '../../source-errors';
import type { AttachmentLocator, Attachments } from './attachments';
import { fitsKind, isArchive, isWrapper } from './document-kinds';
import { type FilePlace, MAX_BYTES, OpenAttachment } from './open-attachment';
import { type InUse, OpenWrappers } from './open-wrappers';
import { nameParts } from './part-names';
import { toldByContent } from './told-by-content';
import { type WrappedFile, WrapperUnreadable } from './wrapper';

/** Of all attachments that are in memory at once: two of the largest, or many small ones. */
const MEMORY_BYTES = 2 * MAX_BYTES;
/** Signed by one after the other, and sent in an archive. */
const MAX_DEPTH = 5;

/** Where a file in an attached wrapper is. */
export type Wrapped<Locator> = Locator & { readonly file: FilePlace };

/** Whether a locator leads into a wrapper. */
export const isWrapped = <Locator extends AttachmentLocator>(locator: Locator): locator is Wrapped<Locator> =>
  'file' in locator;

/** The type that the document at a locator is delivered as. */
export const mimeTypeAt = <Locator extends AttachmentLocator>(locator: Locator): string =>
  isWrapped(locator) ? locator.file.mimeType : locator.mimeType;

/**
 * The documents in attached zip archives and signed mails. An archive in an archive is a document as it is, and so is a wrapper
 * that is encrypted, broken or too large: whoever gets it may know what to do with it.
 */
export class WrappedAttachments<Locator extends AttachmentLocator> {
  private readonly open = new OpenWrappers<OpenAttachment>(MEMORY_BYTES);

  constructor(private readonly attachments: Attachments<Locator>) {}

  /**
   * The same documents, those of unknown kind told by their content, wrappers replaced by what is in them. With `texts` the text of a
   * signed mail that has no attachments is a document, too. @throws what opening an attachment throws
   */
  async unwrap(documents: readonly DocumentRef[], texts = false): Promise<DocumentRef[]> {
    const unwrapped: DocumentRef[] = [];
    for (const ref of documents) {
      const told = await toldByContent(ref, this.attachments);
      if (told) unwrapped.push(...(await this.unwrapOne(told, texts, 0)));
    }
    return unwrapped;
  }

  /**
   * Opens a file in a wrapper, which stays in memory until the file's stream has closed. Waits while too many do.
   * @throws DocumentUnavailable, and what opening an attachment throws; its stream too
   */
  async openFile({ filename }: DocumentRef, locator: Wrapped<Locator>): Promise<SourceDocument> {
    const { file: place } = locator;
    try {
      const { wrapper, done } = await this.use(locator);
      const file = await wrapper.fileAt(place).catch((error: unknown) => {
        done();
        throw error;
      });
      const stream = Readable.from(unavailableWhenBroken(file.read()), { objectMode: false });
      stream.once('close', done);
      return { stream, filename, mimeType: place.mimeType, size: file.size };
    } catch (error) {
      throw unavailable(error);
    }
  }

  private async unwrapOne(ref: DocumentRef, texts: boolean, depth: number): Promise<DocumentRef[]> {
    const locator = this.attachments.locatorOf(ref.locator);
    if (!isLookedInto(locator) || depth === MAX_DEPTH) return [ref];
    const inside = await this.inside(ref, locator, texts);
    if (!inside) return [ref];
    const unwrapped: DocumentRef[] = [];
    for (const each of inside) unwrapped.push(...(await this.unwrapOne(each, texts, depth + 1)));
    return unwrapped;
  }

  /** Undefined for what cannot be looked into. */
  private async inside(ref: DocumentRef, locator: Locator, texts: boolean): Promise<DocumentRef[] | undefined> {
    if ((ref.size ?? 0) > MAX_BYTES) return undefined;
    try {
      const { wrapper, done } = await this.use(locator);
      const content = await wrapper.contentAt(isWrapped(locator) ? locator.file : undefined).finally(done);
      const files = texts && content.text ? [content.text] : content.files;
      return documentsOf(files, ref, locator);
    } catch (error) {
      // What keeps it from being read now is found again when it is opened.
      if (error instanceof WrapperUnreadable || error instanceof DocumentUnavailable) return undefined;
      throw error;
    }
  }

  /** The whole attachment: what waits for the wrappers in it would wait for what this one holds. */
  private use(locator: Locator): Promise<InUse<OpenAttachment>> {
    const { attachments } = this;
    const told = attachments.sizeOf?.(locator) ?? 0;
    const bytes = told > 0 ? Math.min(told, MAX_BYTES) : MAX_BYTES;
    return this.open.use(attachments.keyOf(locator), bytes, async () =>
      OpenAttachment.read((await attachments.open(locator)).stream as AsyncIterable<Buffer>, locator.mimeType),
    );
  }
}

/** What is in an archive is not looked into: whoever sends archives in archives wants them so, or means no good. */
function isLookedInto(locator: AttachmentLocator): boolean {
  if (!isWrapped(locator)) return isWrapper(locator.mimeType);
  const { mimeType, within } = locator.file;
  return !isArchive(within?.mimeType ?? locator.mimeType) && isWrapper(mimeType);
}

function documentsOf(all: readonly WrappedFile[], ref: DocumentRef, locator: AttachmentLocator): DocumentRef[] {
  const files = all.filter(({ size }) => size > 0);
  const within = isWrapped(locator) ? locator.file : undefined;
  const names = nameParts(files, nameFor(files, ref));
  return files.map(({ index, crc32, size, kind: { mimeType } }, place): DocumentRef => {
    const file: FilePlace = { index, crc32, mimeType, ...(within && { within }) };
    const inside: Wrapped<AttachmentLocator> = { ...locator, file };
    // The name is left out, for its decoding may improve.
    const dedupeKey = `mail:${sha256(JSON.stringify([ref.dedupeKey, index, crc32, size]))}`;
    return { ...ref, dedupeKey, filename: names[place]!, locator: inside, size };
  });
}

/** For files that have no name: `Rechnung.pdf.p7m` tells one, `smime.p7m` does not. */
function nameFor([first]: readonly WrappedFile[], { filename, metadata }: DocumentRef): string {
  const bare = filename.replace(/\.p7m$/i, '');
  return first && fitsKind(bare, first.kind) ? bare : (metadata.source?.subject ?? bare);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

async function* unavailableWhenBroken(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw unavailable(error);
  }
}

/** No later fetch finds it in a better state. */
function unavailable(error: unknown): unknown {
  if (!(error instanceof WrapperUnreadable)) return error;
  return new DocumentUnavailable(`A file in an attachment cannot be read: ${error.message}`, true);
}
