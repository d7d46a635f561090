import libmime from 'libmime';
import type { MimePart } from '../imap/messages/mime-tree';
import { parseMessage } from '../imap/messages/mime-tree';
import { ByteBuffer } from '../imap/protocol/byte-buffer';
import { transferEncoding } from '../imap/messages/body-structure';

/** A part of a mail as Gmail has parsed it; `bytes` are decoded. */
export interface PayloadPart {
  readonly partId: string;
  readonly mimeType: string;
  readonly filename: string;
  readonly headers: { name: string; value: string }[];
  readonly parts: readonly PayloadPart[];
  /** Null for a part that only contains other parts. */
  readonly bytes: Buffer | null;
}

/** Parses a mail as the API's guide describes it: nested parts, with names and encoded words decoded. */
export function payloadOf(mail: Buffer): PayloadPart {
  const buffer = ByteBuffer.from(mail);
  return parsed(parseMessage(buffer), buffer, '');
}

function parsed(part: MimePart, buffer: ByteBuffer, partId: string): PayloadPart {
  const below = part.embedded ? [part.embedded] : part.children;
  const children = below.map((child, n) => parsed(child, buffer, partId === '' ? String(n) : `${partId}.${n}`));
  const named = (header: string, parameter: string) =>
    libmime.parseHeaderValue(utf8(part.header.get(header) ?? '')).params[parameter];
  const name = named('content-disposition', 'filename') ?? named('content-type', 'name') ?? '';
  return {
    partId,
    mimeType: `${part.type}/${part.subtype}`,
    filename: libmime.decodeWords(name),
    headers: part.header.fields.map((field) => ({ name: field.name, value: libmime.decodeWords(utf8(field.value)) })),
    parts: children,
    bytes: below.length > 0 ? null : decoded(part, buffer),
  };
}

const utf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString();

function decoded(part: MimePart, buffer: ByteBuffer): Buffer {
  const raw = buffer.bytes(part.bodyStart, part.end);
  const encoding = transferEncoding(part).toLowerCase();
  if (encoding === 'base64') return Buffer.from(raw.toString('latin1'), 'base64');
  if (encoding !== 'quoted-printable') return raw;
  const text = raw.toString('latin1').replace(/=[ \t]*\r?\n/g, '');
  const bytes = text.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
