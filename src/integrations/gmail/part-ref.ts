import type { MailRef } from '../shared/mail/parts/renditions';
import { mimeTypeAt } from '../shared/mail/container-attachments';
import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';

/** Where the bytes of a document are; stored with it, so that a later fetch can open it. */
export type GmailPartRef = {
  /** Gmail's id of the mail, which it keeps for ever. */
  readonly message: string;
  /** Gmail's id of the part; empty for a mail that is nothing but the document. */
  readonly part: string;
  /** The part's id as an attachment, which was good when the mail was looked at; null for bytes that are in the mail. */
  readonly attachment: string | null;
  /** Bytes. */
  readonly size: number;
  readonly mimeType: string;
  /** Its mail says so. Gmail does not say whether it decodes that. */
  readonly uuencoded?: true;
};

/** Reads a stored locator. Throws `UnexpectedResponse` when it is not one of ours. */
export function parsePartRef(stored: Json): GmailPartRef {
  const value = stored as Partial<GmailPartRef> | null;
  const whole =
    value !== null &&
    typeof value === 'object' &&
    [value.message, value.part, value.mimeType].every((text) => typeof text === 'string') &&
    (value.attachment === null || typeof value.attachment === 'string') &&
    Number.isSafeInteger(value.size);
  if (!whole) throw new UnexpectedResponse('The stored place of a mail attachment is not readable.');
  return value as GmailPartRef;
}

/** In which mail a document is, and of what type. */
export function mailRefOf(ref: DocumentRef): MailRef {
  const locator = parsePartRef(ref.locator);
  return { mail: locator.message, mimeType: mimeTypeAt(locator) };
}
