import { Constructed, fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import { NOTHING_FILTERED } from '../../../core/filter-reason';
import type { AttachmentChoice } from '../parts/kinds/attachment-choice';
import { kindOf } from '../parts/kinds/document-kinds';
import type { Kind } from '../parts/kinds/kinds';
import { type ContainerContent, ContainerUnreadable } from './container';
import { containedFile, mailContents } from './mail-contents';
import type { MailFormat } from './parse-mail';

/** RFC 5652 sections 4 and 5.1. */
const DATA = '1.2.840.113549.1.7.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';

/** Every chunk of a streamed encoding is a node; some senders use chunks of one kilobyte. */
const LIMITS = { maxContentLength: 64 * 1024 * 1024, maxNodes: 250_000, parseEmbedded: false };
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
  if (isMail(content)) return mailContents({ format: 'mail', bytes: content, choice });
  const kind = kindByContent(content);
  if (!kind) throw new ContainerUnreadable('The signed content is neither a mail nor a known document.');
  return { files: [containedFile(0, kind, content, null)], filteredBy: NOTHING_FILTERED };
}

/** Extracts the documents of a mail that is attached as a file, without its text. @throws ContainerUnreadable */
export async function openMail(format: MailFormat, bytes: Buffer, choice: AttachmentChoice): Promise<ContainerContent> {
  const mail = format === 'mail' ? withoutEncoding(bytes) : bytes;
  const { files, filteredBy } = await mailContents({ format, bytes: mail, choice });
  return { files, filteredBy };
}

/** Some mailboxes deliver an attached mail in the encoding that its sender has given to it. */
function withoutEncoding(bytes: Buffer): Buffer {
  if (isMail(bytes)) return bytes;
  const decoded = Buffer.from(bytes.toString('latin1'), 'base64');
  if (!isMail(decoded)) throw new ContainerUnreadable('It is not a mail.');
  return decoded;
}

function isMail(content: Buffer): boolean {
  return HEADER_FIELD.test(content.toString('latin1', 0, 1024));
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
