import { createHash } from 'node:crypto';
import type { Metadata } from '../../documents/metadata';
import { countReasons, type FilteredBy, type FilterReason } from '../core/filter-reason';
import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import { kindOf, kindOfAttached, mayBeDocument } from '../shared/mail/parts/kinds/document-kinds';
import { DOUBTFUL, type Kind, MAIL } from '../shared/mail/parts/kinds/kinds';
import { type AttachmentChoice, optionalKind } from '../shared/mail/parts/kinds/attachment-choice';
import { documentKey } from '../shared/mail/text/mail-metadata';
import { textDocument } from '../shared/mail/text/mail-text';
import type { MailSender } from '../shared/mail/parts/encoding/mail-headers';
import { nameParts } from '../shared/mail/parts/part-names';
import type { MailRef } from '../shared/mail/parts/renditions';
import { mimeTypeAt } from '../shared/mail/contained-locator';
import type { Attachment, Message } from './mail-api';

/** Identifies an attachment or text; stored with the document, so that a later fetch can download it. */
export type OutlookAttachmentRef = {
  readonly mailbox: string | null;
  readonly message: string;
  /** Empty for the mail's text. */
  readonly attachment: string;
  readonly mimeType: string;
};

const FILE = '#microsoft.graph.fileAttachment';
/** A mail; or an appointment or a contact, which hold no documents. */
const ITEM = '#microsoft.graph.itemAttachment';

/** The properties that identify a mail and that filters use. */
export interface OutlookMailHeaders {
  readonly key: string;
  readonly subject: string;
  /** Name and address, for the filter. */
  readonly from: string;
  readonly sender: MailSender;
}

/**
 * The headers of a mail. The key is the same for every copy, in any folder and mailbox; it includes the date, because some senders
 * reuse one Message-ID.
 */
export function headersOf({ id, internetMessageId, sentDateTime, subject, from }: Message): OutlookMailHeaders {
  const messageId = internetMessageId?.replace(/\s+/g, '') ?? '';
  const identity = messageId.length > 2 ? [messageId, sentDateTime ?? ''] : ['', id];
  const { name, address } = from?.emailAddress ?? {};
  return {
    key: createHash('sha256').update(JSON.stringify(identity)).digest('base64url'),
    subject: subject?.trim() ?? '',
    from: [name, address && `<${address}>`].filter(Boolean).join(' '),
    sender: { ...(name && { name }), ...(address && { address }) },
  };
}

interface Document extends Attachment {
  readonly kind: Kind;
}

/**
 * The documents among the attachments of a mail, and the number of the others. Graph delivers nested mails as a whole, and links
 * lead to files that the authorization for mails does not cover. Inline images are not documents.
 */
export function documentsOf(
  mail: OutlookMailHeaders,
  source: Metadata['source'],
  attachments: readonly Attachment[],
  place: Pick<OutlookAttachmentRef, 'mailbox' | 'message'>,
  choice: AttachmentChoice,
): { documents: DocumentRef[]; filteredBy: FilteredBy } {
  const kinds = attachments.map((attachment) => ({ attachment, kind: kindOfAttachment(attachment, choice) }));
  const found = kinds.flatMap(({ attachment, kind }): Document[] =>
    typeof kind === 'string' ? [] : [{ ...attachment, kind }],
  );
  // Attachments with the same name stay distinct documents, whatever their order.
  const sorted = found.sort((a, b) => (a.size ?? 0) - (b.size ?? 0));
  const names = nameParts(
    sorted.map(({ name, kind }) => ({ kind, ...(name && { name }) })),
    mail.subject,
  );
  const before = new Map<string, number>();
  const documents = sorted.map((attachment, index): DocumentRef => {
    const { id, name, size, kind } = attachment;
    const numbered = isOpened(kind) ? [kind.family] : [];
    const called = JSON.stringify([name ?? '', typeOf(attachment), ...numbered]);
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
  return {
    documents,
    filteredBy: countReasons(kinds.map(({ kind }) => kind).filter((kind) => typeof kind === 'string')),
  };
}

/** The kind of an attachment that is taken, or why it is not. */
function kindOfAttachment(attachment: Attachment, choice: AttachmentChoice): Kind | FilterReason {
  if (attachment['@odata.type'] === ITEM) return MAIL;
  if (attachment['@odata.type'] !== FILE) return 'LINK';
  const isInline = attachment.isInline === true;
  const type = typeOf(attachment);
  const name = attachment.name ?? undefined;
  const kind = (isInline ? kindOf : kindOfAttached)(type, name);
  const isImage = isInline && (kind?.family === 'image' || type.startsWith('image/'));
  const taken = isImage ? undefined : (kind ?? optionalKind(choice, type, name));
  if (taken) return taken;
  if (mayBeDocument(type, name)) return DOUBTFUL;
  return isImage ? 'INLINE_IMAGE' : 'TYPE';
}

/** Whether it is only taken for its content. Such attachments are numbered on their own, so that the keys of the others never change. */
const isOpened = ({ family }: Kind): boolean => family === 'doubtful' || family === 'mail';

/** The text of a mail without documents, as a document. */
export function textOf(
  mail: OutlookMailHeaders,
  source: Metadata['source'],
  place: Pick<OutlookAttachmentRef, 'mailbox' | 'message'>,
): DocumentRef {
  const locator: OutlookAttachmentRef = { ...place, attachment: '', mimeType: 'text/html' };
  return textDocument(mail, [], source, locator);
}

/** Parses a stored reference. @throws UnexpectedResponse when it is invalid */
export function parseAttachmentRef(stored: Json): OutlookAttachmentRef {
  const value = stored as Partial<OutlookAttachmentRef> | null;
  const isWhole =
    typeof value === 'object' &&
    [value?.message, value?.attachment, value?.mimeType].every((part) => typeof part === 'string') &&
    (value?.mailbox === null || typeof value?.mailbox === 'string');
  if (!isWhole) throw new UnexpectedResponse('The stored reference of a mail attachment is invalid.');
  return value as OutlookAttachmentRef;
}

/** The mail of a document, and its type. */
export function mailRefOf(ref: DocumentRef): MailRef {
  const place = parseAttachmentRef(ref.locator);
  return { mail: JSON.stringify([place.mailbox, place.message]), mimeType: mimeTypeAt(place) };
}

/** Exchange stores a mail with a detached signature as one attachment that contains both (MS-OXOSMIME 2.1.3.1). */
function typeOf({ contentType }: Attachment): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'multipart/signed' ? 'application/pkcs7-mime' : type;
}
