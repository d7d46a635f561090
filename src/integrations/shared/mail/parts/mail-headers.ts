import { createHash } from 'node:crypto';
import libmime from 'libmime';

/** What is asked of every mail; enough to name, filter and recognise it. */
export const HEADERS = ['message-id', 'date', 'from', 'to', 'subject', 'received'];

export interface MailHeaders {
  /** The same for every copy of the mail, in any folder and after any rebuild of the mailbox. */
  readonly key: string;
  readonly subject: string;
  /** Name and address as written; for the filter. */
  readonly from: string;
  /** The address alone where there is one. */
  readonly sender: string;
}

/** No line of a mail needs more (RFC 5322 section 2.1.1); folded headers of hostile mails can be megabytes. */
const MAX_TEXT = 998;

/** Reads a header block. Never throws: what cannot be decoded is left as it is. */
export function readHeaders(block: Buffer): MailHeaders {
  const headers = libmime.decodeHeaders(unicode(block));
  return mailHeaders((name) => headers[name] ?? []);
}

/**
 * What the headers of a mail say, given the values of each by its name in lower case, as they are in the mail.
 *
 * The key is Message-ID plus Date, because some senders repeat one Message-ID for ever; without a Message-ID it is made
 * of the other headers that travel with the mail. Nothing the server adds on its own (UID, INTERNALDATE) is in it.
 */
export function mailHeaders(raw: (name: string) => readonly string[]): MailHeaders {
  const from = decoded(raw('from')[0]);
  const messageId = raw('message-id')[0]?.replace(/\s+/g, '') ?? '';
  const identity =
    messageId.length > 2 ? [messageId, raw('date')] : ['', ...HEADERS.filter((name) => name !== 'message-id').map(raw)];
  return {
    key: createHash('sha256').update(JSON.stringify(identity)).digest('base64url'),
    subject: decoded(raw('subject')[0]),
    from,
    sender: addressIn(from) ?? from,
  };
}

/** Decodes encoded words (RFC 2047) and makes one tidy line of it; text that is broken stays as it is. */
export function decoded(text: string | undefined): string {
  if (!text) return '';
  const bounded = text.slice(0, 4 * MAX_TEXT);
  let plain = bounded;
  try {
    plain = libmime.decodeWords(bounded);
  } catch {
    // An unknown character set: the encoded form is better than nothing.
  }
  return plain
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}

/** Raw eight-bit headers are UTF-8 today (RFC 6532) and were Latin-1 once. */
function unicode(block: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(block);
  } catch {
    return block.toString('latin1');
  }
}

function addressIn(from: string): string | undefined {
  // In angle brackets, behind the last one a display name may hold; otherwise the first bare address.
  const bracketed = from.slice(from.lastIndexOf('<') + 1).match(/^\s*([^\s<>@]+@[^\s<>@]+)\s*>/);
  return (bracketed ?? from.match(/(?<![^\s,;:<"'(])([^\s<>@,;:"'()]{1,64}@[^\s<>@,;:"'()]{1,253})/))?.[1];
}
