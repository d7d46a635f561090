import type { MailRef } from '../shared/mail/parts/renditions';
import { mimeTypeAt } from '../shared/mail/contained-locator';
import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';

/** Identifies a part of a mail; stored with the document, so that a later fetch can download it. */
export type GmailPartRef = {
  /** Gmail's permanent id of the mail. */
  readonly message: string;
  /** Gmail's id of the part; empty for a mail that consists of the document only. */
  readonly part: string;
  /** The attachment id at the time of the listing; null when the content is in the mail. */
  readonly attachment: string | null;
  /** The size in bytes. */
  readonly size: number;
  readonly mimeType: string;
  /** According to the mail; it is undocumented whether Gmail decodes it. */
  readonly uuencoded?: true;
};

/** Parses a stored part reference. @throws UnexpectedResponse when it is invalid */
export function parsePartRef(stored: Json): GmailPartRef {
  const value = stored as Partial<GmailPartRef> | null;
  const whole =
    value !== null &&
    typeof value === 'object' &&
    [value.message, value.part, value.mimeType].every((text) => typeof text === 'string') &&
    (value.attachment === null || typeof value.attachment === 'string') &&
    Number.isSafeInteger(value.size);
  if (!whole) throw new UnexpectedResponse('The stored reference of a mail attachment is invalid.');
  return value as GmailPartRef;
}

/** The mail of a document, and its type. */
export function mailRefOf(ref: DocumentRef): MailRef {
  const locator = parsePartRef(ref.locator);
  return { mail: locator.message, mimeType: mimeTypeAt(locator) };
}
