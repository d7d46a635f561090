import type { ImapFlow, MailboxObject } from 'imapflow';
import { Readable } from 'node:stream';
import type { WeightedSemaphore } from '../../../../platform/concurrency/weighted-semaphore';
import { releaseBuffer } from '../../../../platform/buffers/release-buffer';
import type { SourceDocument } from '../../../core/source-document';
import { DocumentUnavailable } from '../../../core/source-errors';
import { kindOf } from '../../../shared/mail/parts/kinds/document-kinds';
import { nameParts } from '../../../shared/mail/parts/part-names';
import { uuencodedName } from '../../../shared/mail/containers/uu-decoder';
import { awaitFetch, FetchRejected } from '../../mailbox/fetch-rejected';
import type { MailboxPool } from '../../mailbox/mailbox-pool';
import { assertSame, gone, type PartBatches, sectionOf, unreadableNow } from './part-batches';
import type { ImapPartRef } from './part-ref';
import { transferDecoder, type TransferDecoder } from '../../../shared/mail/parts/encoding/transfer-decoding';

/** Parts up to this encoded size are read completely and in batches; larger ones are streamed. */
const WHOLE_BYTES = 1024 * 1024;
/** One megabyte per round trip: three times the throughput of imapflow's default, with little memory. */
const CHUNK_BYTES = 1024 * 1024;

/** The resources for reading parts of one mailbox. */
export interface PartReaders {
  readonly pool: MailboxPool;
  readonly batches: PartBatches;
  /** The memory of all open documents in encoded bytes: a whole part or one chunk each. */
  readonly memory: WeightedSemaphore;
}

/**
 * Opens one attachment, decoded. Large ones are read chunk by chunk as the stream is consumed, each chunk on any free connection,
 * so that neither memory nor other documents depend on their size. Waits while the memory limit is reached.
 * Throws `DocumentUnavailable`, `SelectionNotFound` or `Transient`; the stream fails with the same errors.
 */
export async function openPart(readers: PartReaders, part: ImapPartRef, filename: string): Promise<SourceDocument> {
  if (part.section === '') {
    throw new DocumentUnavailable(
      `IMAP folder ${part.folder}: the structure of mail ${part.uid} is not readable.`,
      true,
      { problem: 'DAMAGED' },
    );
  }
  const decoder = transferDecoder(part.encoding);
  if (!decoder)
    throw new DocumentUnavailable(`Unknown transfer encoding ${part.encoding.slice(0, 40)}.`, true, {
      problem: 'DAMAGED',
    });
  const done = await readers.memory.acquire(Math.min(part.size, CHUNK_BYTES));
  try {
    const isSmall = part.size <= WHOLE_BYTES && decoder.pieceBytes === undefined;
    const { name = filename, ...opened } = await (isSmall ? openWhole : openInChunks)(readers, part, decoder);
    const document: SourceDocument = { ...opened, filename: name, mimeType: part.mimeType };
    document.stream.once('close', done);
    return document;
  } catch (error) {
    done();
    throw error;
  }
}

/** `name` is set when it is known from the content only. */
type OpenedPart = Pick<SourceDocument, 'stream' | 'size' | 'releaseBuffers'> & { readonly name?: string };

async function openWhole({ batches }: PartReaders, part: ImapPartRef, decoder: TransferDecoder): Promise<OpenedPart> {
  const encoded = await batches.read(part);
  const parts = [decoder.push(encoded), decoder.end()].filter(({ length }) => length > 0);
  if (parts.length === 0) throw new DocumentUnavailable('The attachment is empty.', true, { problem: 'EMPTY' });
  return {
    stream: Readable.from(parts, { objectMode: false }),
    size: parts.reduce((sum, { length }) => sum + length, 0),
    releaseBuffers: () => releaseBuffer(encoded),
  };
}

async function openInChunks({ pool }: PartReaders, part: ImapPartRef, decoder: TransferDecoder): Promise<OpenedPart> {
  // Reads the first chunk before resolving, to verify that the mail still exists.
  const first = await readChunk(pool, part, 0);
  const name = part.unnamed ? nameIn(first, part) : undefined;
  const chunks = decode(pool, part, decoder, first);
  const stream = Readable.from(chunks, { objectMode: false, highWaterMark: CHUNK_BYTES });
  return { stream, ...(name !== undefined && { name }) };
}

function nameIn(start: Buffer, { mimeType }: ImapPartRef): string | undefined {
  const [name, kind] = [uuencodedName(start), kindOf(mimeType, undefined)];
  return name !== undefined && kind ? nameParts([{ name, kind }], '')[0] : undefined;
}

async function* decode(
  pool: MailboxPool,
  part: ImapPartRef,
  decoder: TransferDecoder,
  first: Buffer,
): AsyncGenerator<Buffer> {
  let chunk = first;
  let read = 0;
  let wasShort = false;
  for (;;) {
    read += chunk.length;
    yield* decodeChunk(decoder, chunk);
    // A longer chunk means that the server ignores the range and has sent everything.
    if (chunk.length > CHUNK_BYTES && read === chunk.length) break;
    const isShort = chunk.length < CHUNK_BYTES;
    // A short chunk is the last one. With less data than announced, only if another request returns nothing.
    if (isShort && read >= part.size) break;
    if (wasShort && chunk.length === 0) {
      await assertMailExists(pool, part);
      break;
    }
    wasShort = isShort;
    if (chunk.length > CHUNK_BYTES || read > 2 * part.size + CHUNK_BYTES) throw overflow(part);
    chunk = await readChunk(pool, part, read);
  }
  const rest = decoder.end();
  if (rest.length > 0) yield rest;
}

function* decodeChunk(decoder: TransferDecoder, chunk: Buffer): Generator<Buffer> {
  const step = decoder.pieceBytes ?? chunk.length;
  for (let at = 0; at < chunk.length; at += step) {
    const bytes = decoder.push(chunk.subarray(at, at + step));
    if (bytes.length > 0) yield bytes;
  }
}

/** Courier returns empty chunks for a removed mail until the folder is reopened. */
async function assertMailExists(pool: MailboxPool, part: ImapPartRef): Promise<void> {
  const { folder, uid, uidValidity } = part;
  const fetchUid = async (client: ImapFlow, mailbox: MailboxObject) => {
    assertSame(folder, String(mailbox.uidValidity), uidValidity);
    return awaitFetch(folder, client.fetchAll(String(uid), { uid: true }, { uid: true }));
  };
  const mails = await pool.useFolder(folder, fetchUid, true);
  if (!mails.some((mail) => mail.uid === uid)) throw gone(part);
}

async function readChunk(pool: MailboxPool, part: ImapPartRef, start: number): Promise<Buffer> {
  const { folder, uid, section, uidValidity } = part;
  const chunk = pool.useFolder(folder, async (client, mailbox) => {
    assertSame(folder, String(mailbox.uidValidity), uidValidity);
    const bodyParts = [{ key: section, start, maxLength: CHUNK_BYTES }];
    const answers = await awaitFetch(folder, client.fetchAll(String(uid), { uid: true, bodyParts }, { uid: true }));
    const mails = answers.filter((mail) => mail.uid === uid);
    // A mail that is deleted in the meantime must not appear as the end of the attachment.
    if (mails.length === 0) throw gone(part);
    // Servers may send its flags unsolicited (RFC 9051 section 7).
    const found = mails.map((mail) => sectionOf(mail, section)).find((bytes) => bytes);
    if (!found && start === 0) throw gone(part);
    return found ?? Buffer.alloc(0);
  });
  return chunk.catch((error: unknown) => {
    throw error instanceof FetchRejected ? unreadableNow(part) : error;
  });
}

function overflow({ folder, uid }: ImapPartRef): DocumentUnavailable {
  return new DocumentUnavailable(`IMAP folder ${folder}: mail ${uid} sends more than it announced.`, true, {
    problem: 'DAMAGED',
  });
}
