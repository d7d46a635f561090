import type { MailPlace } from '../shared/mail/parts/pictures';
import { mimeTypeAt } from '../shared/mail/wrapped-attachments';
import type { DocumentRef, Json } from '../core/source-document';
import { ContractBroken } from '../core/source-errors';

/** Where the bytes of a document are; stored with it, so that a later fetch can open it. */
export type PartLocator = {
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

/** Reads a stored locator. Throws `ContractBroken` when it is not one of ours. */
export function partLocator(stored: Json): PartLocator {
  const value = stored as Partial<PartLocator> | null;
  const whole =
    value !== null &&
    typeof value === 'object' &&
    [value.message, value.part, value.mimeType].every((text) => typeof text === 'string') &&
    (value.attachment === null || typeof value.attachment === 'string') &&
    Number.isSafeInteger(value.size);
  if (!whole) throw new ContractBroken('The stored place of a mail attachment is not readable.');
  return value as PartLocator;
}

/** In which mail a document is, and of what type. */
export function mailPlace(ref: DocumentRef): MailPlace {
  const locator = partLocator(ref.locator);
  return { mail: locator.message, mimeType: mimeTypeAt(locator) };
}
