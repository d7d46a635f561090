import type { DocumentRef, Json } from '../../../core/source-document';
import type { MailRef } from '../../../shared/mail/parts/renditions';
import { mimeTypeAt } from '../../../shared/mail/contained-locator';
import { UnexpectedResponse } from '../../../core/source-errors';

/** Identifies a part of a mail; stored with the document, so that a later fetch can download it. */
export type ImapPartRef = {
  readonly folder: string;
  readonly uidValidity: string;
  readonly uid: number;
  /** Section number for FETCH; empty for a mail whose structure cannot be read. */
  readonly section: string;
  readonly encoding: string;
  /** The encoded size in bytes. */
  readonly size: number;
  readonly mimeType: string;
  /** The mail has no name for it; the uuencoded content may have one. */
  readonly unnamed?: true;
};

/** Parses a stored part reference. @throws UnexpectedResponse when it is invalid */
export function parsePartRef(stored: Json): ImapPartRef {
  const value = stored as Partial<ImapPartRef> | null;
  const whole =
    value !== null &&
    typeof value === 'object' &&
    [value.folder, value.uidValidity, value.section, value.encoding, value.mimeType].every(
      (t) => typeof t === 'string',
    ) &&
    [value.uid, value.size].every((n) => Number.isSafeInteger(n)) &&
    /^(\d+(\.\d+)*)?$/.test(value.section ?? '');
  if (!whole) throw new UnexpectedResponse('The stored reference of a mail attachment is invalid.');
  return value as ImapPartRef;
}

/** The mail of a document, and its type. */
export function mailRefOf(ref: DocumentRef): MailRef {
  const locator = parsePartRef(ref.locator);
  return { mail: `${locator.uid} ${locator.folder}`, mimeType: mimeTypeAt(locator) };
}
