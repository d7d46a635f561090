import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { DocumentRef, Json, SourceDocument } from '../../source-document';
import { DocumentUnavailable } from '../../source-errors';
import { isArchive, kindOf } from './document-kinds';
import { nameParts } from './part-names';
import { ArchiveUnreadable, ZipArchive, type ZipEntry } from './zip-archive';

/** What mail servers let through at most. A larger archive is not looked into, so that memory does not grow with it. */
const MAX_BYTES = 25 * 1024 * 1024;
/** Files of one archive are opened side by side: it is read once for all of them. */
const ARCHIVES_KEPT = 2;

/** Where an attachment is; `mimeType` is what it is delivered as. */
export type AttachmentLocator = { readonly mimeType: string; readonly [key: string]: Json };

/** Where a file in an attached archive is. */
export type InArchive<Locator> = Locator & {
  readonly file: { readonly index: number; readonly crc32: number; readonly mimeType: string };
};

/** Whether a locator leads into an archive. */
export const isInArchive = <Locator extends AttachmentLocator>(locator: Locator): locator is InArchive<Locator> =>
  'file' in locator;

/** The type that the document at a locator is delivered as. */
export const mimeTypeAt = <Locator extends AttachmentLocator>(locator: Locator): string =>
  isInArchive(locator) ? locator.file.mimeType : locator.mimeType;

/** How a mailbox finds attachments. */
export interface Attachments<Locator> {
  /** Reads a stored locator. @throws ContractBroken when it is not one of its own */
  locatorOf(stored: Json): Locator;
  /** The same for every document in the same attachment. */
  keyOf(locator: Locator): string;
  /** Opens a whole attachment. */
  open(locator: Locator): Promise<SourceDocument>;
}

interface Kept {
  readonly archive: ZipArchive;
  readonly bytes: number;
}

/**
 * The documents in attached zip archives. An archive in an archive is a document as it is, and so is one that is
 * encrypted, broken or too large: whoever gets it may know what to do with it.
 */
export class ZipAttachments<Locator extends AttachmentLocator> {
  private readonly archives: LRUCache<string, Kept, AttachmentLocator>;

  constructor(private readonly attachments: Attachments<Locator>) {
    this.archives = new LRUCache<string, Kept, AttachmentLocator>({
      maxSize: ARCHIVES_KEPT * MAX_BYTES,
      sizeCalculation: ({ bytes }) => Math.max(1, bytes),
      fetchMethod: (_key, _stale, { context }) => this.read(context as Locator),
    });
  }

  /** The same documents, archives replaced by what is in them. @throws what opening an attachment throws */
  async unwrap(documents: readonly DocumentRef[]): Promise<DocumentRef[]> {
    const unwrapped: DocumentRef[] = [];
    for (const ref of documents) {
      unwrapped.push(...(isArchive(this.attachments.locatorOf(ref.locator).mimeType) ? await this.inside(ref) : [ref]));
    }
    return unwrapped;
  }

  /** Opens a file in an archive. @throws DocumentUnavailable, and what opening an attachment throws; its stream too */
  async openFile({ filename }: DocumentRef, locator: InArchive<Locator>): Promise<SourceDocument> {
    const { index, crc32, mimeType } = locator.file;
    try {
      const { archive } = await this.archive(locator);
      const entry = archive.entries.find((each) => each.index === index && each.crc32 === crc32);
      if (!entry) throw new ArchiveUnreadable('The file is not in it.');
      const stream = Readable.from(unavailableWhenBroken(archive.read(entry)), { objectMode: false });
      return { stream, filename, mimeType, size: entry.size };
    } catch (error) {
      throw unavailable(error);
    }
  }

  private async inside(ref: DocumentRef): Promise<DocumentRef[]> {
    if ((ref.size ?? 0) > MAX_BYTES) return [ref];
    const locator = this.attachments.locatorOf(ref.locator);
    try {
      const { archive } = await this.archive(locator);
      return documentsIn(archive, ref, locator);
    } catch (error) {
      // What keeps it from being read now is found again when it is opened.
      if (error instanceof ArchiveUnreadable || error instanceof DocumentUnavailable) return [ref];
      throw error;
    }
  }

  private async archive(locator: Locator): Promise<Kept> {
    return (await this.archives.fetch(this.attachments.keyOf(locator), { context: locator }))!;
  }

  private async read(locator: Locator): Promise<Kept> {
    const { stream } = await this.attachments.open(locator);
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of stream as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > MAX_BYTES) throw new ArchiveUnreadable('It is too large.');
      parts.push(part);
    }
    return { archive: await ZipArchive.open(Buffer.concat(parts)), bytes };
  }
}

function documentsIn(archive: ZipArchive, ref: DocumentRef, locator: AttachmentLocator): DocumentRef[] {
  const found = archive.entries.flatMap((entry) => {
    const name = entry.path.split(/[/\\]/).at(-1)!;
    const kind = kindOf('', name);
    return kind && entry.size > 0 ? [{ entry, name, kind }] : [];
  });
  const names = nameParts(found, ref.filename);
  return found.map(({ entry, kind: { mimeType } }, place): DocumentRef => {
    const { index, crc32 } = entry;
    const inside: InArchive<AttachmentLocator> = { ...locator, file: { index, crc32, mimeType } };
    return { ...ref, dedupeKey: fileKey(ref, entry), filename: names[place]!, locator: inside, size: entry.size };
  });
}

/** The name is left out, for its decoding may improve. */
function fileKey({ dedupeKey }: DocumentRef, { index, crc32, size }: ZipEntry): string {
  return `mail:${createHash('sha256')
    .update(JSON.stringify([dedupeKey, index, crc32, size]))
    .digest('base64url')}`;
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
  if (!(error instanceof ArchiveUnreadable)) return error;
  return new DocumentUnavailable(`A file in an attached archive cannot be read: ${error.message}`, true);
}
