import type { DocumentRef, Json } from '../../core/source-document';
import type { MailPlace } from '../../shared/mail/parts/pictures';
import { mimeTypeAt } from '../../shared/mail/wrapped-attachments';
import { ContractBroken } from '../../core/source-errors';

/** Where the bytes of a document are; stored with it, so that a later fetch can open it. */
export type PartLocator = {
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

/** Reads a stored locator. Throws `ContractBroken` when it is not one of ours. */
export function partLocator(stored: Json): PartLocator {
  const value = stored as Partial<PartLocator> | null;
  const whole =
    value !== null &&
    typeof value === 'object' &&
    [value.folder, value.uidValidity, value.section, value.encoding, value.mimeType].every(
      (t) => typeof t === 'string',
    ) &&
    [value.uid, value.size].every((n) => Number.isSafeInteger(n)) &&
    /^(\d+(\.\d+)*)?$/.test(value.section ?? '');
  if (!whole) throw new ContractBroken('The stored place of a mail attachment is not readable.');
  return value as PartLocator;
}

/** In which mail a document is, and of what type. */
export function mailPlace(ref: DocumentRef): MailPlace {
  const locator = partLocator(ref.locator);
  return { mail: `${locator.uid} ${locator.folder}`, mimeType: mimeTypeAt(locator) };
}
