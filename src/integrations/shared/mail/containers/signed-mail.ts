import { Constructed, fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { runInThread } from '../../../../platform/threads/run-in-thread';
import { NOTHING_FILTERED } from '../../../core/filter-reason';
import type { AttachmentChoice } from '../parts/attachment-choice';
import { HTML, type Kind, kindOf } from '../parts/document-kinds';
import { readMail, type MailContents } from './read-mail';
import { type ContainedFile, type ContainerContent, ContainerUnreadable } from './container';

/** RFC 5652 sections 4 and 5.1. */
const DATA = '1.2.840.113549.1.7.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';

/** Every chunk of a streamed encoding is a node; some senders use chunks of one kilobyte. */
const LIMITS = { maxContentLength: 64 * 1024 * 1024, maxNodes: 250_000, parseEmbedded: false };
/** Larger mails are parsed in a worker thread, to not block the event loop. */
const MAX_INLINE = 256 * 1024;
const LIMIT_MS = 30_000;
/** A header field (RFC 5322 section 2.2). */
const HEADER_FIELD = /^[!-9;-~]+[ \t]*:/;

/**
 * Extracts the documents of a signed mail (S/MIME, RFC 8551 section 3.5: the signature contains the mail, or accompanies it where a
 * mailbox delivers both as one attachment) or of a signed file (`Rechnung.pdf.p7m`). The signature is not verified.
 * @throws ContainerUnreadable when it is encrypted, compressed or broken
 */
export async function openSigned(bytes: Buffer, choice: AttachmentChoice): Promise<ContainerContent> {
  const content = isMail(bytes) ? bytes : signedContent(bytes);
  // Certificates alone, or a receipt.
  if (!content) return { files: [], filteredBy: NOTHING_FILTERED };
  if (isMail(content)) return filesOf(await read(content, choice));
  const kind = kindByContent(content);
  if (!kind) throw new ContainerUnreadable('The signed content is neither a mail nor a known document.');
  return { files: [containedFile(0, kind, content, null)], filteredBy: NOTHING_FILTERED };
}

/** Extracts the documents of a mail that is attached as a file, without its text. @throws ContainerUnreadable */
export async function openMail(bytes: Buffer, choice: AttachmentChoice): Promise<ContainerContent> {
  if (!isMail(bytes)) throw new ContainerUnreadable('It is not a mail.');
  const { files, filteredBy } = filesOf(await read(bytes, choice));
  return { files, filteredBy };
}

function isMail(content: Buffer): boolean {
  return HEADER_FIELD.test(content.toString('latin1', 0, 1024));
}

async function read(mail: Buffer, choice: AttachmentChoice): Promise<MailContents> {
  try {
    return await (mail.length > MAX_INLINE ? readInWorker(mail, choice) : readMail(mail, choice));
  } catch (error) {
    throw new ContainerUnreadable('The mail in it is not readable.', { cause: error });
  }
}

/** Starts a worker thread for each mail, because large signed mails are rare. */
function readInWorker(mail: Buffer, choice: AttachmentChoice): Promise<MailContents> {
  return runInThread(
    join(__dirname, 'read-mail-thread'),
    { mail, choice },
    {
      name: 'mail',
      resourceLimits: { maxOldGenerationSizeMb: 384 },
      limitMs: LIMIT_MS,
      timedOut: () => new Error('It takes too much time to read.'),
    },
  );
}

/** The signed content; undefined when there is none. The encoding is often BER with indefinite lengths, because it is streamed. */
function signedContent(bytes: Buffer): Buffer | undefined {
  const { result } = fromBER(bytes, LIMITS);
  const [type, explicit] = elements(result);
  if (oid(type) !== SIGNED_DATA) throw new ContainerUnreadable('It is not signed, or not only signed.');
  const [, , encapsulated] = elements(elements(explicit)[0]);
  const [innerType, inner] = elements(encapsulated);
  if (innerType === undefined) throw new ContainerUnreadable('It is broken.');
  const [octets] = elements(inner);
  if (oid(innerType) !== DATA || !(octets instanceof OctetString)) return undefined;
  return Buffer.from(octets.getValue());
}

function elements(block: unknown): unknown[] {
  return block instanceof Sequence || block instanceof Constructed ? block.valueBlock.value : [];
}

function oid(block: unknown): string | undefined {
  return block instanceof ObjectIdentifier ? block.getValue() : undefined;
}

function kindByContent(content: Buffer): Kind | undefined {
  const start = content.toString('latin1', 0, 1024);
  if (start.includes('%PDF-')) return kindOf('application/pdf', undefined);
  return /^(\xEF\xBB\xBF)?\s*</.test(start) ? kindOf('application/xml', undefined) : undefined;
}

function filesOf({ files, text, filteredBy }: MailContents): ContainerContent {
  return {
    files: files.map(({ index, name, kind, content }) => containedFile(index, kind, asBuffer(content), name)),
    filteredBy,
    ...(text && { text: containedFile(0, HTML, asBuffer(text), null) }),
  };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function containedFile(index: number, kind: Kind, content: Buffer, name: string | null): ContainedFile {
  return {
    index,
    ...(name && { name }),
    kind,
    size: content.length,
    crc32: crc32(content),
    read: async function* () {
      yield content;
    },
  };
}
