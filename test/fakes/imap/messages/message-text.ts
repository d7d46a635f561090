import { transferEncoding } from './body-structure';
import type { StoredMessage } from '../mailbox/folder';
import type { MimePart } from './mime-tree';
import { dayNumber } from '../protocol/wire-format';

/** The values of all header fields with this name, with encoded words decoded. */
export function headerText(message: StoredMessage, field: string): string[] {
  const fields = message.mime.header.fields.filter(({ name }) => name.toLowerCase() === field.toLowerCase());
  return fields.map(({ value }) => decoded(value));
}

/** The decoded text of the message's text parts; with `headers` also its header fields. */
export function messageText(message: StoredMessage, headers: boolean): string {
  const pieces = headers ? message.mime.header.fields.map(({ name, value }) => `${name}: ${decoded(value)}`) : [];
  const visit = (part: MimePart) => {
    part.children.forEach(visit);
    if (part.embedded) visit(part.embedded);
    if (part.type === 'text') pieces.push(partText(part, message));
  };
  visit(message.mime);
  return pieces.join('\n');
}

/** The day of the Date field, in its own zone (RFC 3501 6.4.4 SENTSINCE); undefined without a valid one. */
export function sentDay({ mime }: StoredMessage): number | undefined {
  const match = /(\d{1,2})\s+([A-Za-z]{3})\s+(\d{4})/.exec(mime.header.get('date') ?? '');
  return match ? dayNumber(`${match[1]}-${match[2]}-${match[3]}`) : undefined;
}

/** Encoded words (RFC 2047) as text; white space between two of them is dropped. Unknown charsets stay as they are. */
function decoded(value: string): string {
  const text = Buffer.from(value, 'latin1').toString();
  const word = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi;
  return text.replace(word, (whole: string, charset: string, encoding: string, content: string) => {
    const bytes =
      encoding.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : quotedPrintable(content.replaceAll('_', ' '));
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      return whole;
    }
  });
}

function partText(part: MimePart, { content }: StoredMessage): string {
  const raw = content.bytes(part.bodyStart, part.end).toString('latin1');
  const encoding = transferEncoding(part).toLowerCase();
  if (encoding === 'base64') return Buffer.from(raw, 'base64').toString();
  return (encoding === 'quoted-printable' ? quotedPrintable(raw) : Buffer.from(raw, 'latin1')).toString();
}

function quotedPrintable(text: string): Buffer {
  const joined = text.replace(/=[ \t]*\r?\n/g, '');
  const bytes = joined.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
