import { Constructed, fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import { once } from 'node:events';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { startThread } from '../../../../platform/threads/start-thread';
import { HTML, type Kind, kindOf } from '../parts/document-kinds';
import { readMail, type MailContents } from './read-mail';
import { type ContainedFile, type ContainerContent, ContainerUnreadable } from './container';

/** RFC 5652 sections 4 and 5.1. */
const DATA = '1.2.840.113549.1.7.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';

/** Every portion of a streamed encoding is a node: of a kilobyte with some senders. */
const LIMITS = { maxContentLength: 64 * 1024 * 1024, maxNodes: 250_000, parseEmbedded: false };
/** A larger mail is read beside the event loop: it would stand still for longer than for a document. */
const MAX_INLINE = 256 * 1024;
const LIMIT_MS = 30_000;
/** A header field (RFC 5322 section 2.2). */
const HEADER_FIELD = /^[!-9;-~]+[ \t]*:/;

/**
 * The documents in a signed mail (S/MIME, RFC 8551 section 3.5: the signature holds the mail, or stands beside it where a
 * mailbox gives out both as one attachment) or in a signed file (`Rechnung.pdf.p7m`). Whether the signature is good is not
 * looked at.
 * @throws ContainerUnreadable for what is encrypted, compressed or broken
 */
export async function openSigned(bytes: Buffer): Promise<ContainerContent> {
  const content = isMail(bytes) ? bytes : signedContent(bytes);
  // Certificates alone, or a receipt.
  if (!content) return { files: [] };
  if (isMail(content)) return filesOf(await read(content));
  const kind = kindByContent(content);
  if (!kind) throw new ContainerUnreadable('What is signed is neither a mail nor a known document.');
  return { files: [containedFile(0, kind, content, null)] };
}

/** The documents in a mail that is attached as a file. Its text is none of the mail's own. @throws ContainerUnreadable */
export async function openMail(bytes: Buffer): Promise<ContainerContent> {
  if (!isMail(bytes)) throw new ContainerUnreadable('It is no mail.');
  const { files } = filesOf(await read(bytes));
  return { files };
}

function isMail(content: Buffer): boolean {
  return HEADER_FIELD.test(content.toString('latin1', 0, 1024));
}

async function read(mail: Buffer): Promise<MailContents> {
  try {
    return await (mail.length > MAX_INLINE ? readInWorker(mail) : readMail(mail));
  } catch (error) {
    throw new ContainerUnreadable('The mail in it is not readable.', { cause: error });
  }
}

/** In a thread of its own, which ends with it: large signed mails are rare. */
async function readInWorker(mail: Buffer): Promise<MailContents> {
  const thread = startThread(join(__dirname, 'read-mail-thread'), 'mail', { maxOldGenerationSizeMb: 384 });
  thread.on('error', () => undefined); // whoever waits for it hears it
  try {
    const answered = once(thread, 'message', { signal: AbortSignal.timeout(LIMIT_MS) });
    thread.postMessage(mail);
    const [answer] = (await answered) as [MailContents];
    return answer;
  } finally {
    await thread.terminate();
  }
}

/** What is signed; undefined where it is nothing. The encoding is often BER with indefinite lengths, made while signing. */
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

function filesOf({ files, text }: MailContents): ContainerContent {
  return {
    files: files.map(({ name, kind, content }, index) => containedFile(index, kind, asBuffer(content), name)),
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
