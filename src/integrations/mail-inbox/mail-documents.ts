import type { Metadata } from '../../documents/metadata';
import type { ReceivedMail } from '../core/inbox';
import { addFiltered, type FilteredBy, filteredBy, NOTHING_FILTERED } from '../core/filter-reason';
import type { DocumentRef } from '../core/source-document';
import { mayHoldNoDocument } from '../shared/mail/parts/kinds/document-kinds';
import { type MailFilters, passes } from '../shared/mail/parts/kinds/mail-filters';
import { type MailHeaders, readHeaders } from '../shared/mail/parts/encoding/mail-headers';
import { nameParts } from '../shared/mail/parts/part-names';
import { attachedParts } from '../shared/mail/parts/parts';
import { documentKey, mailSource } from '../shared/mail/text/mail-metadata';
import { textDocument, textOf } from '../shared/mail/text/mail-text';
import type { TextRef } from '../shared/mail/text/open-text';
import type { InboxPartRef } from './part-ref';
import type { MailStructure } from './read-structure';

/** The documents of one mail, and the number of its other attachments. */
export interface ReadMail {
  readonly documents: readonly DocumentRef[];
  readonly filteredBy: FilteredBy;
}

/**
 * The documents of one mail that passes the connection's filters. A mail without readable structure is a document itself, so that
 * nothing is lost.
 */
export function readMail(mail: ReceivedMail, structure: MailStructure, filters: MailFilters): ReadMail {
  const headers = readHeaders(structure.headers);
  const read = documentsOf(mail, structure, filters, headers);
  if (passes(filters, headers)) return read;
  return { documents: [], filteredBy: addFiltered(read.filteredBy, filteredBy('PATTERN', read.documents.length)) };
}

function documentsOf(
  mail: ReceivedMail,
  { root }: MailStructure,
  filters: MailFilters,
  headers: MailHeaders,
): ReadMail {
  const source: Metadata['source'] = {
    ...mailSource(headers, undefined, mail.receivedAt),
    authentication: mail.authentication,
  };
  if (!root) return { documents: [wholeMail(mail, headers, source)], filteredBy: NOTHING_FILTERED };
  const { parts, filteredBy: others } = attachedParts(root, filters.attachments);
  const names = nameParts(parts, headers.subject);
  const documents = parts.map(({ section, declaredType, encoding, size, kind, ref = '' }, index): DocumentRef => {
    const locator: InboxPartRef = { mail: mail.number, ref, encoding, size, mimeType: kind.mimeType };
    return {
      dedupeKey: documentKey(headers, [section, declaredType, encoding, size]),
      externalId: null,
      filename: names[index]!,
      metadata: { source },
      locator,
      size: encoding === 'base64' ? Math.round((size * 76 * 3) / (78 * 4)) : size,
    };
  });
  const text = filters.takesTexts && parts.every(({ kind }) => mayHoldNoDocument(kind)) ? textOf(root) : undefined;
  if (!text) return { documents, filteredBy: others };
  const { kind, charset, images, section, mimeType, encoding, size, ref = '' } = text;
  const shown = images.map(({ section: _, ref: at = '', ...image }) => ({ ...image, ref: at }));
  const locator: TextRef<InboxPartRef> = {
    ...{ mail: mail.number, ref, encoding, size, mimeType },
    text: { kind, charset, images: shown, subject: headers.subject },
  };
  return {
    documents: [...documents, textDocument(headers, [section, mimeType, encoding, size], source, locator)],
    filteredBy: others,
  };
}

function wholeMail(mail: ReceivedMail, headers: MailHeaders, source: Metadata['source']): DocumentRef {
  const locator: InboxPartRef = {
    mail: mail.number,
    ref: '',
    encoding: '',
    size: mail.size,
    mimeType: 'message/rfc822',
  };
  return {
    dedupeKey: documentKey(headers, ['unreadable', mail.size]),
    externalId: null,
    filename: `${headers.subject.replace(/[/\\:*?"<>|]+/g, '_').slice(0, 100) || 'mail'}.eml`,
    metadata: { source },
    locator,
    size: mail.size,
  };
}
