import type { DocumentRef, Json } from '../../core/source-document';
import type { MailRef } from '../../shared/mail/parts/renditions';
import { mimeTypeAt } from '../../shared/mail/container-attachments';
import { UnexpectedResponse } from '../../core/source-errors';

/** Where the bytes of a document are; stored with it, so that a later fetch can open it. */
export type ImapPartRef = {
  readonly folder: string;
  readonly uidValidity: string;
  readonly uid: number;
  /** Section number for FETCH; empty for a mail whose structure cannot be read. */
  readonly section: string;
  readonly encoding: string;
  /** Bytes as transferred, still encoded. */
  readonly size: number;
  readonly mimeType: string;
  /** The mail does not tell what it is called; a uuencoded file does so itself. */
  readonly unnamed?: true;
};

/** Reads a stored locator. Throws `UnexpectedResponse` when it is not one of ours. */
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
  if (!whole) throw new UnexpectedResponse('The stored place of a mail attachment is not readable.');
  return value as ImapPartRef;
}

/** In which mail a document is, and of what type. */
export function mailRefOf(ref: DocumentRef): MailRef {
  const locator = parsePartRef(ref.locator);
  return { mail: `${locator.uid} ${locator.folder}`, mimeType: mimeTypeAt(locator) };
}
