import { createHash } from 'node:crypto';
import type { Metadata } from '../../documents/metadata';
import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import { type Kind, kindOf, kindOfAttached } from '../shared/mail/parts/document-kinds';
import { documentKey } from '../shared/mail/text/mail-metadata';
import { textDocument } from '../shared/mail/text/mail-text';
import { nameParts } from '../shared/mail/parts/part-names';
import type { MailRef } from '../shared/mail/parts/renditions';
import { mimeTypeAt } from '../shared/mail/container-attachments';
import type { Attachment, Message } from './mail-api';

/** Where the bytes of a document are; stored with it, so that a later fetch can open it. */
export type OutlookAttachmentRef = {
  readonly mailbox: string | null;
  readonly message: string;
  /** Empty for the mail's own text. */
  readonly attachment: string;
  readonly mimeType: string;
};

const FILE = '#microsoft.graph.fileAttachment';

/** What tells mails apart and passes filters. */
export interface OutlookMailHeaders {
  readonly key: string;
  readonly subject: string;
  /** Name and address, for the filter. */
  readonly from: string;
  /** The address where there is one. */
  readonly sender: string;
}

/** The key is the same for every copy of the mail, in any folder and mailbox: some senders repeat one Message-ID for ever. */
export function headersOf({ id, internetMessageId, sentDateTime, subject, from }: Message): OutlookMailHeaders {
  const messageId = internetMessageId?.replace(/\s+/g, '') ?? '';
  const identity = messageId.length > 2 ? [messageId, sentDateTime ?? ''] : ['', id];
  const { name, address } = from?.emailAddress ?? {};
  return {
    key: createHash('sha256').update(JSON.stringify(identity)).digest('base64url'),
    subject: subject?.trim() ?? '',
    from: [name, address && `<${address}>`].filter(Boolean).join(' '),
    sender: address ?? name ?? '',
  };
}

interface Document extends Attachment {
  readonly kind: Kind;
}

/**
 * The documents among the attachments of a mail, and how many attachments cannot be had: mails within mails are given out only
 * as a whole, and links lead to files that the authorisation for mails does not reach. Pictures in the text are no documents.
 */
export function documentsOf(
  mail: OutlookMailHeaders,
  source: Metadata['source'],
  attachments: readonly Attachment[],
  place: Pick<OutlookAttachmentRef, 'mailbox' | 'message'>,
): { documents: DocumentRef[]; filtered: number } {
  const isFile = (attachment: Attachment): boolean => attachment['@odata.type'] === FILE;
  const found = attachments.filter(isFile).flatMap((attachment): Document[] => {
    const isInline = attachment.isInline === true;
    const kind = (isInline ? kindOf : kindOfAttached)(typeOf(attachment), attachment.name ?? undefined);
    return !kind || (kind.family === 'image' && isInline) ? [] : [{ ...attachment, kind }];
  });
  // Two that are called the same stay two documents, whatever order they are listed in.
  const sorted = found.sort((a, b) => (a.size ?? 0) - (b.size ?? 0));
  const names = nameParts(
    sorted.map(({ name, kind }) => ({ kind, ...(name && { name }) })),
    mail.subject,
  );
  const before = new Map<string, number>();
  const documents = sorted.map((attachment, index): DocumentRef => {
    const { id, name, size, kind } = attachment;
    const called = JSON.stringify([name ?? '', typeOf(attachment)]);
    const nth = before.get(called) ?? 0;
    before.set(called, nth + 1);
    const locator: OutlookAttachmentRef = { ...place, attachment: id, mimeType: kind.mimeType };
    return {
      dedupeKey: documentKey(mail, [called, nth]),
      externalId: null,
      filename: names[index]!,
      metadata: { source },
      locator,
      ...(size !== undefined && { size }),
    };
  });
  return { documents, filtered: attachments.filter((attachment) => !isFile(attachment)).length };
}

/** A mail that has no documents, as one. */
export function textOf(
  mail: OutlookMailHeaders,
  source: Metadata['source'],
  place: Pick<OutlookAttachmentRef, 'mailbox' | 'message'>,
): DocumentRef {
  const locator: OutlookAttachmentRef = { ...place, attachment: '', mimeType: 'text/html' };
  return textDocument(mail, [], source, locator);
}

/** Reads a stored locator. Throws `UnexpectedResponse` when it is not one of ours. */
export function parseAttachmentRef(stored: Json): OutlookAttachmentRef {
  const value = stored as Partial<OutlookAttachmentRef> | null;
  const isWhole =
    typeof value === 'object' &&
    [value?.message, value?.attachment, value?.mimeType].every((part) => typeof part === 'string') &&
    (value?.mailbox === null || typeof value?.mailbox === 'string');
  if (!isWhole) throw new UnexpectedResponse('The stored place of a mail attachment is not readable.');
  return value as OutlookAttachmentRef;
}

/** In which mail a document is, and of what type. */
export function mailRefOf(ref: DocumentRef): MailRef {
  const place = parseAttachmentRef(ref.locator);
  return { mail: JSON.stringify([place.mailbox, place.message]), mimeType: mimeTypeAt(place) };
}

/** Of a mail whose signature stands beside it, Exchange makes one attachment that holds both (MS-OXOSMIME 2.1.3.1). */
function typeOf({ contentType }: Attachment): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'multipart/signed' ? 'application/pkcs7-mime' : type;
}
