import { createHash } from 'node:crypto';
import libmime from 'libmime';

/** The headers that are requested for every mail, to name, filter and identify it. */
export const HEADERS = ['message-id', 'date', 'from', 'to', 'subject', 'received'];

export interface MailHeaders {
  /** Identical for every copy of the mail, in any folder and after a rebuild of the mailbox. */
  readonly key: string;
  readonly subject: string;
  /** Name and address as in the header, for the filter. */
  readonly from: string;
  readonly sender: MailSender;
}

/** Each as far as the header has it. */
export interface MailSender {
  readonly name?: string;
  readonly address?: string;
}

/** The maximum line length (RFC 5322 section 2.1.1); folded headers of hostile mails can have megabytes. */
const MAX_TEXT = 998;

/** Parses a header block. Never throws: undecodable parts are left unchanged. */
export function readHeaders(block: Buffer): MailHeaders {
  const headers = libmime.decodeHeaders(unicodeOf(block));
  return mailHeaders((name) => headers[name] ?? []);
}

/**
 * The relevant headers of a mail. `raw` returns the raw values of a header by its lower-case name.
 *
 * The key is Message-ID plus Date, because some senders reuse one Message-ID; without a Message-ID it consists of the other headers
 * that are part of the mail. It contains nothing that the server adds (UID, INTERNALDATE).
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
    sender: senderIn(from),
  };
}

/** Decodes encoded words (RFC 2047) into a single line; broken text stays unchanged. */
export function decoded(text: string | undefined): string {
  if (!text) return '';
  const bounded = text.slice(0, 4 * MAX_TEXT);
  let plain = bounded;
  try {
    plain = libmime.decodeWords(bounded);
  } catch {
    // Unknown character set: keep the encoded form.
  }
  return plain
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}

/** Raw eight-bit headers are UTF-8 (RFC 6532), in old mails Latin-1. */
export function unicodeOf(block: Buffer, otherwise = 'latin1'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(block);
  } catch {
    return new TextDecoder(otherwise).decode(block);
  }
}

function senderIn(from: string): MailSender {
  // The address in the last angle brackets, as a display name may contain some; otherwise the first bare address.
  const bracket = from.lastIndexOf('<');
  const bracketed = from.slice(bracket + 1).match(/^\s*([^\s<>@]+@[^\s<>@]+)\s*>/);
  if (bracketed) return { ...nameIn(from.slice(0, bracket)), address: bracketed[1]! };
  const address = from.match(/(?<![^\s,;:<"'(])([^\s<>@,;:"'()]{1,64}@[^\s<>@,;:"'()]{1,253})/)?.[1];
  // An old form has the name in a comment behind the address.
  return address === undefined ? nameIn(from) : { ...nameIn(from.match(/\(([^()]*)\)\s*$/)?.[1] ?? ''), address };
}

/** A display name without the quotes around it (RFC 5322 section 3.2.4). */
function nameIn(text: string): Pick<MailSender, 'name'> {
  const [, quoted] = text.trim().match(/^"(.*)"$/) ?? [];
  const name = (quoted?.replace(/\\(.)/g, '$1') ?? text).trim();
  return name === '' ? {} : { name };
}
