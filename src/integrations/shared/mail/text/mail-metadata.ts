import { createHash } from 'node:crypto';
import type { Metadata } from '../../../../documents/metadata';
import type { MailHeaders } from '../parts/mail-headers';

/** The key of a document in a mail: the mail's own and what tells the part from the mail's others. */
export function documentKey(headers: Pick<MailHeaders, 'key'>, part: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify([headers.key, ...part]));
  return `mail:${hash.digest('base64url')}`;
}

/** Where a mail's documents come from. `path` is its folder, where it has one; `received` is when the server took the mail on; left out when it is no date. */
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
    ...(sender ? { sender } : {}),
    ...(date && !Number.isNaN(date.getTime()) ? { received_at: utcSeconds(date) } : {}),
  };
}

/** RFC 3339 in UTC; mail servers know no fractions of a second. */
function utcSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
