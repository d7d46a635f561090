import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import { mimeTypeAt } from '../shared/mail/contained-locator';
import type { MailRef } from '../shared/mail/parts/renditions';

/** Identifies a part of a received mail; stored with the document, so that a later fetch can read it. */
export type InboxPartRef = {
  readonly mail: number;
  /** Its bytes in the message, as `start-end`; empty for the whole message. */
  readonly ref: string;
  readonly encoding: string;
  /** The encoded size in bytes. */
  readonly size: number;
  readonly mimeType: string;
};

/** Parses a stored part reference. @throws UnexpectedResponse when it is invalid */
export function parsePartRef(stored: Json): InboxPartRef {
  const value = stored as Partial<InboxPartRef> | null;
  const isWhole =
    value !== null &&
    typeof value === 'object' &&
    [value.encoding, value.mimeType].every((text) => typeof text === 'string') &&
    [value.mail, value.size].every((number) => Number.isSafeInteger(number)) &&
    /^(\d+-(\d+|-1))?$/.test(value.ref ?? '?');
  if (!isWhole) throw new UnexpectedResponse('The stored reference of a part of a mail is invalid.');
  return value as InboxPartRef;
}

/** The mail of a document, and its type. */
export function mailRefOf(ref: DocumentRef): MailRef {
  const locator = parsePartRef(ref.locator);
  return { mail: String(locator.mail), mimeType: mimeTypeAt(locator) };
}
