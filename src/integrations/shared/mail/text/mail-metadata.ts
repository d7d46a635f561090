import { createHash } from 'node:crypto';
import type { Metadata } from '../../../../documents/metadata';
import type { MailHeaders } from '../parts/encoding/mail-headers';

/** The dedupe key of a document in a mail: the mail's key and what distinguishes the part within the mail. */
export function documentKey(headers: Pick<MailHeaders, 'key'>, part: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify([headers.key, ...part]));
  return `mail:${hash.digest('base64url')}`;
}

/**
 * The source metadata of a mail's documents. `path` is its folder, if any; `received` is when the server received the mail, omitted
 * when it is invalid.
 */
export function mailSource(
  { subject, sender }: Pick<MailHeaders, 'subject' | 'sender'>,
  path: string | undefined,
  received: string | number | Date | undefined,
): Metadata['source'] {
  const date = received === undefined ? undefined : new Date(received);
  return {
    kind: 'mail',
    ...(path ? { path } : {}),
    ...(subject ? { subject } : {}),
    ...(sender.name || sender.address ? { sender } : {}),
    ...(date && !Number.isNaN(date.getTime()) ? { received_at: utcSeconds(date) } : {}),
  };
}

/** RFC 3339 in UTC without fractions of a second, which mail servers do not record. */
function utcSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
