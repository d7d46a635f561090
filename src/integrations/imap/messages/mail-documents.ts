import type { FetchMessageObject } from 'imapflow';
import type { Metadata } from '../../../documents/metadata';
import { addFiltered, type FilteredBy, filteredBy, NOTHING_FILTERED } from '../../core/filter-reason';
import type { DocumentRef } from '../../core/source-document';
import { mayHoldNoDocument } from '../../shared/mail/parts/kinds/document-kinds';
import { documentKey, mailSource } from '../../shared/mail/text/mail-metadata';
import { passes } from '../../shared/mail/parts/kinds/mail-filters';
import { type MailHeaders, readHeaders } from '../../shared/mail/parts/encoding/mail-headers';
import { type MailText, textDocument, textOf } from '../../shared/mail/text/mail-text';
import type { TextRef } from '../../shared/mail/text/open-text';
import { nameParts } from '../../shared/mail/parts/part-names';
import { attachedParts, type Part } from '../../shared/mail/parts/parts';
import { isUuencoded } from '../../shared/mail/containers/uu-decoder';
import type { ImapSelection } from '../mailbox/fields';
import type { ImapPartRef } from './parts/part-ref';

export interface ImapMailRef {
  readonly folder: string;
  readonly uidValidity: string;
}

/** The documents of one mail, and the number of its other attachments. */
export interface ReadMail {
  readonly documents: readonly DocumentRef[];
  readonly filteredBy: FilteredBy;
}

/**
 * The documents of one mail that passes the connection's filters. Never throws. `partNames` replaces names that
 * BODYSTRUCTURE has lost, by section. A mail without readable structure becomes one document that `download` reports as
 * unavailable, so that nothing is lost silently.
 */
export function readMail(
  mail: FetchMessageObject,
  partNames: ReadonlyMap<string, string>,
  place: ImapMailRef,
  selection: ImapSelection,
  since: Date | null,
): ReadMail {
  const headers = readHeaders(mail.headers ?? Buffer.alloc(0));
  const read = documentsOf(mail, partNames, place, selection, headers);
  // A mail without a date is included: an extra document is better than a missing one. So is one without readable headers.
  const isOld = since !== null && new Date(mail.internalDate ?? NaN).getTime() < since.getTime();
  const reason = isOld ? 'BEFORE_STARTDATE' : mail.headers && !passes(selection, headers) ? 'PATTERN' : undefined;
  return reason
    ? { documents: [], filteredBy: addFiltered(read.filteredBy, filteredBy(reason, read.documents.length)) }
    : read;
}

function documentsOf(
  mail: FetchMessageObject,
  partNames: ReadonlyMap<string, string>,
  place: ImapMailRef,
  selection: ImapSelection,
  headers: MailHeaders,
): ReadMail {
  const metadata: Metadata = { source: mailSource(headers, place.folder, mail.internalDate) };
  if (!mail.bodyStructure) {
    return { documents: [unreadable(mail, place, headers, metadata)], filteredBy: NOTHING_FILTERED };
  }
  const attached = attachedParts(mail.bodyStructure, selection.attachments);
  const parts = attached.parts.map((part) => {
    const name = partNames.get(part.section) ?? part.name;
    return name === undefined ? part : { ...part, name };
  });
  const names = nameParts(parts, headers.subject);
  const documents = parts.map((part, index): DocumentRef => {
    const locator: ImapPartRef = {
      ...place,
      uid: mail.uid,
      section: part.section,
      encoding: part.encoding,
      size: part.size,
      mimeType: part.kind.mimeType,
      ...(part.name === undefined && isUuencoded(part.encoding) && { unnamed: true }),
    };
    const filename = names[index] as string;
    return {
      dedupeKey: partKey(headers, part),
      externalId: null,
      filename,
      metadata,
      locator,
      size: decodedSize(part),
    };
  });
  const mayNeedText = selection.takesTexts && parts.every(({ kind }) => mayHoldNoDocument(kind));
  const text = mayNeedText ? textOf(mail.bodyStructure) : undefined;
  const all = text ? [...documents, textIn(text, mail, place, headers, metadata)] : documents;
  return { documents: all, filteredBy: attached.filteredBy };
}

function textIn(
  { kind, charset, images, ...part }: MailText,
  mail: FetchMessageObject,
  place: ImapMailRef,
  headers: MailHeaders,
  { source }: Metadata,
): DocumentRef {
  const { section, mimeType, encoding, size } = part;
  const text = { kind, charset, images, subject: headers.subject };
  const locator: TextRef<ImapPartRef> = { ...place, uid: mail.uid, ...part, text };
  return textDocument(headers, [section, mimeType, encoding, size], source, locator);
}

/**
 * Position, type, encoding and size of a part are known without its body and never change. The name is not included, because its
 * decoding may improve. Two equal attachments of one mail differ in position and stay two documents.
 */
function partKey(headers: MailHeaders, { section, declaredType, encoding, size }: Part): string {
  return documentKey(headers, [section, declaredType, encoding, size]);
}

function unreadable(
  mail: FetchMessageObject,
  place: ImapMailRef,
  headers: MailHeaders,
  metadata: Metadata,
): DocumentRef {
  const locator: ImapPartRef = {
    ...place,
    uid: mail.uid,
    section: '',
    encoding: '',
    size: 0,
    mimeType: 'message/rfc822',
  };
  const filename = `${headers.subject.replace(/[/\\:*?"<>|]+/g, '_').slice(0, 100) || 'mail'}.eml`;
  // A mail without headers is identified by its location.
  const key = mail.headers ? [] : [place.folder, place.uidValidity, mail.uid];
  return { dedupeKey: documentKey(headers, ['unreadable', ...key]), externalId: null, filename, metadata, locator };
}

/** An estimate: base64 encodes three bytes in four characters and has lines of 76 characters. */
function decodedSize({ encoding, size }: Part): number {
  return encoding === 'base64' ? Math.round((size * 76 * 3) / (78 * 4)) : size;
}
