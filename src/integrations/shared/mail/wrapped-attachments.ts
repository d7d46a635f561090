import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { DocumentRef, SourceDocument } from '../../source-document';
import { DocumentUnavailable } from '../../source-errors';
import type { AttachmentLocator, Attachments } from './attachments';
import { fitsKind, isArchive, isCms, isMail, isWrapper } from './document-kinds';
import { nameParts } from './part-names';
import { openMail, openSigned } from './signed-mail';
import { toldByContent } from './told-by-content';
import { type WrappedFile, type WrapperContent, WrapperUnreadable } from './wrapper';
import { ZipArchive } from './zip-archive';

/** What mail servers let through at most. A larger wrapper is not looked into, so that memory does not grow with it. */
const MAX_BYTES = 25 * 1024 * 1024;
/** Files of one wrapper are opened side by side: it is read once for all of them. */
const WRAPPERS_KEPT = 2;
/** Signed by one after the other, and sent in an archive. */
const MAX_DEPTH = 5;

/** Where a file in a wrapper is; `within` is where the wrapper is, when that is itself in one. */
type FilePlace = {
  readonly index: number;
  readonly crc32: number;
  readonly mimeType: string;
  readonly within?: FilePlace;
};

/** Where a file in an attached wrapper is. */
export type Wrapped<Locator> = Locator & { readonly file: FilePlace };

/** Whether a locator leads into a wrapper. */
export const isWrapped = <Locator extends AttachmentLocator>(locator: Locator): locator is Wrapped<Locator> =>
  'file' in locator;

/** The type that the document at a locator is delivered as. */
export const mimeTypeAt = <Locator extends AttachmentLocator>(locator: Locator): string =>
  isWrapped(locator) ? locator.file.mimeType : locator.mimeType;

interface Kept {
  readonly content: WrapperContent;
  readonly bytes: number;
}

/** A wrapper: an attachment, or a file in one. */
interface Place<Locator> {
  readonly locator: Locator;
  readonly within?: FilePlace;
}

/**
 * The documents in attached zip archives, in signed mails, and in mails that are attached as files. An archive in an archive is a document as it is, and so is a wrapper
 * that is encrypted, broken or too large: whoever gets it may know what to do with it.
 */
export class WrappedAttachments<Locator extends AttachmentLocator> {
  private readonly wrappers: LRUCache<string, Kept, Place<AttachmentLocator>>;

  constructor(private readonly attachments: Attachments<Locator>) {
    this.wrappers = new LRUCache<string, Kept, Place<AttachmentLocator>>({
      maxSize: WRAPPERS_KEPT * MAX_BYTES,
      sizeCalculation: ({ bytes }) => Math.max(1, bytes),
      fetchMethod: (_key, _stale, { context }) => this.read(context as Place<Locator>),
    });
  }

  /**
   * The same documents, those of unknown kind told by their content, wrappers replaced by what is in them. With `texts` the text of a signed mail that has no attachments
   * is a document, too. @throws what opening an attachment throws
   */
  async unwrap(documents: readonly DocumentRef[], texts = false): Promise<DocumentRef[]> {
    const unwrapped: DocumentRef[] = [];
    for (const ref of documents) {
      const told = await toldByContent(ref, this.attachments);
      if (told) unwrapped.push(...(await this.unwrapOne(told, texts, 0)));
    }
    return unwrapped;
  }

  /** Opens a file in a wrapper. @throws DocumentUnavailable, and what opening an attachment throws; its stream too */
  async openFile({ filename }: DocumentRef, locator: Wrapped<Locator>): Promise<SourceDocument> {
    const { file: place } = locator;
    try {
      const file = await this.file(locator, place);
      const stream = Readable.from(unavailableWhenBroken(file.read()), { objectMode: false });
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
      const { content } = await this.wrapper({ locator, ...(isWrapped(locator) && { within: locator.file }) });
      const files = texts && content.text ? [content.text] : content.files;
      return documentsOf(files, ref, locator);
    } catch (error) {
      // What keeps it from being read now is found again when it is opened.
      if (error instanceof WrapperUnreadable || error instanceof DocumentUnavailable) return undefined;
      throw error;
    }
  }

  private async wrapper(place: Place<Locator>): Promise<Kept> {
    const key = JSON.stringify([this.attachments.keyOf(place.locator), place.within ?? null]);
    return (await this.wrappers.fetch(key, { context: place }))!;
  }

  private async file(locator: Locator, { index, crc32, mimeType, within }: FilePlace): Promise<WrappedFile> {
    const { files, text } = (await this.wrapper({ locator, ...(within && { within }) })).content;
    const found = [...files, ...(text ? [text] : [])].find(
      (file) => file.index === index && file.crc32 === crc32 && file.kind.mimeType === mimeType,
    );
    if (!found) throw new WrapperUnreadable('The file is not in it.');
    return found;
  }

  private async read({ locator, within }: Place<Locator>): Promise<Kept> {
    const stream = within
      ? (await this.file(locator, within)).read()
      : ((await this.attachments.open(locator)).stream as AsyncIterable<Buffer>);
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of stream) {
      size += part.length;
      if (size > MAX_BYTES) throw new WrapperUnreadable('It is too large.');
      parts.push(part);
    }
    const bytes = Buffer.concat(parts);
    const mimeType = within?.mimeType ?? locator.mimeType;
    if (isCms(mimeType)) return { content: await openSigned(bytes), bytes: size };
    if (isMail(mimeType)) return { content: await openMail(bytes), bytes: size };
    return { content: { files: (await ZipArchive.open(bytes)).documents }, bytes: size };
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
