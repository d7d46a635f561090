import type { Metadata } from '../../documents/metadata';
import type { ReceivedMail } from '../core/inbox';
import type { DocumentRef } from '../core/source-document';
import { mayHoldNoDocument } from '../shared/mail/parts/document-kinds';
import { type MailFilters, passes } from '../shared/mail/parts/mail-filters';
import { type MailHeaders, readHeaders } from '../shared/mail/parts/mail-headers';
import { nameParts } from '../shared/mail/parts/part-names';
import { documentParts } from '../shared/mail/parts/parts';
import { documentKey, mailSource } from '../shared/mail/text/mail-metadata';
import { textDocument, textOf } from '../shared/mail/text/mail-text';
import type { TextRef } from '../shared/mail/text/open-text';
import type { InboxPartRef } from './part-ref';
import type { MailStructure } from './read-structure';

/**
 * The documents of one mail, and whether it passes the connection's filters. A mail without readable structure is a document itself,
 * so that nothing is lost.
 */
export function readMail(
  mail: ReceivedMail,
  { headers: block, root }: MailStructure,
  filters: MailFilters,
): { documents: DocumentRef[]; passed: boolean } {
  const headers = readHeaders(block);
  const source: Metadata['source'] = {
    ...mailSource(headers, undefined, mail.receivedAt),
    authentication: mail.authentication,
  };
  const passed = passes(filters, headers);
  if (!root) return { documents: [wholeMail(mail, headers, source)], passed };
  const parts = documentParts(root);
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
  if (!text) return { documents, passed };
  const { kind, charset, images, section, mimeType, encoding, size, ref = '' } = text;
  const shown = images.map(({ section: _, ref: at = '', ...image }) => ({ ...image, ref: at }));
  const locator: TextRef<InboxPartRef> = {
    ...{ mail: mail.number, ref, encoding, size, mimeType },
    text: { kind, charset, images: shown, subject: headers.subject },
  };
  return {
    documents: [...documents, textDocument(headers, [section, mimeType, encoding, size], source, locator)],
    passed,
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
