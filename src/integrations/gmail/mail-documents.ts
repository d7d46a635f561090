import libmime from 'libmime';
import type { Metadata } from '../../documents/metadata';
import { addFiltered, type FilteredBy, filteredBy } from '../core/filter-reason';
import type { DocumentRef } from '../core/source-document';
import { mayHoldNoDocument } from '../shared/mail/parts/kinds/document-kinds';
import { documentKey, mailSource } from '../shared/mail/text/mail-metadata';
import { type MailFilters, passes } from '../shared/mail/parts/kinds/mail-filters';
import { type MailHeaders, mailHeaders } from '../shared/mail/parts/encoding/mail-headers';
import { type MailText, textDocument, textOf } from '../shared/mail/text/mail-text';
import type { TextRef } from '../shared/mail/text/open-text';
import { nameParts } from '../shared/mail/parts/part-names';
import type { MailNode } from '../shared/mail/parts/mail-node';
import { attachedParts } from '../shared/mail/parts/parts';
import { isUuencoded } from '../shared/mail/containers/uu-decoder';
import type { Message, MessagePart } from './gmail-api';
import type { GmailPartRef } from './part-ref';

/** The documents of one mail, and the number of its other attachments. */
export interface ReadMail {
  readonly documents: readonly DocumentRef[];
  readonly filteredBy: FilteredBy;
}

/** Reads one mail; none of its documents is taken when it does not pass the connection's filters. `path` is the label by which it was found. */
export function readMail(mail: Message, path: string | undefined, filters: MailFilters, since: Date | null): ReadMail {
  const { payload = {}, internalDate } = mail;
  const headers = mailHeaders((name) => headersOf(payload, name));
  const read = documentsOf(mail, path, filters, headers);
  const isOld = since !== null && internalDate !== undefined && Number(internalDate) < since.getTime();
  const reason = isOld ? 'BEFORE_STARTDATE' : passes(filters, headers) ? undefined : 'PATTERN';
  return reason
    ? { documents: [], filteredBy: addFiltered(read.filteredBy, filteredBy(reason, read.documents.length)) }
    : read;
}

function documentsOf(
  { id, payload = {}, internalDate }: Message,
  path: string | undefined,
  filters: MailFilters,
  headers: MailHeaders,
): ReadMail {
  const source = mailSource(headers, path, internalDate === undefined ? undefined : Number(internalDate));
  const tree = treeOf(payload);
  const attached = attachedParts(tree, filters.attachments);
  const { parts } = attached;
  const names = nameParts(parts, headers.subject);
  const attachments = new Map(withDescendants(payload).map(({ partId = '', body }) => [partId, body?.attachmentId]));
  const placeOf = ({ ref = '', size }: { ref?: string; size: number }, mimeType: string): GmailPartRef => ({
    message: id,
    part: ref,
    attachment: attachments.get(ref) ?? null,
    size,
    mimeType,
  });
  const documents = parts.map((part, index): DocumentRef => {
    const { section, declaredType, encoding, size, kind } = part;
    return {
      // Position, type, encoding and size of a part never change; the decoding of its name may improve.
      dedupeKey: documentKey(headers, [section, declaredType, encoding, size]),
      externalId: null,
      filename: names[index]!,
      metadata: { source },
      locator: { ...placeOf(part, kind.mimeType), ...(isUuencoded(encoding) && { uuencoded: true }) },
      size,
    };
  });
  const mayNeedText = filters.takesTexts && parts.every(({ kind }) => mayHoldNoDocument(kind));
  const text = mayNeedText ? textOf(tree) : undefined;
  const all = text ? [...documents, textIn(text, headers, source, placeOf)] : documents;
  return { documents: all, filteredBy: attached.filteredBy };
}

function textIn(
  { kind, charset, images, ...part }: MailText,
  headers: MailHeaders,
  source: Metadata['source'],
  placeOf: (part: Pick<MailText, 'ref' | 'size'>, mimeType: string) => GmailPartRef,
): DocumentRef {
  const { section, mimeType, encoding, size } = part;
  const shown = images.map((image) => ({ ...placeOf(image, image.mimeType), id: image.id }));
  const text = { kind, charset, subject: headers.subject, images: shown };
  const locator: TextRef<GmailPartRef> = { ...placeOf(part, mimeType), text };
  return textDocument(headers, [section, mimeType, encoding, size], source, locator);
}

/** A part and all its descendants. */
export function withDescendants(part: MessagePart): MessagePart[] {
  return [part, ...(part.parts ?? []).flatMap(withDescendants)];
}

function treeOf(part: MessagePart): MailNode {
  const header = (name: string): string | undefined => headersOf(part, name)[0];
  const [disposition, description, id] = ['content-disposition', 'content-description', 'content-id'].map(header);
  return {
    type: part.mimeType?.toLowerCase() ?? 'text/plain',
    childNodes: (part.parts ?? []).map(treeOf),
    disposition: disposition?.split(';')[0]!.trim().toLowerCase() ?? '',
    dispositionParameters: part.filename ? { filename: part.filename } : {},
    parameters: libmime.parseHeaderValue(header('content-type') ?? '').params,
    ...(description && { description }),
    ...(id && { id }),
    encoding: header('content-transfer-encoding') ?? '7bit',
    size: part.body?.size ?? 0,
    ref: part.partId ?? '',
  };
}

function headersOf({ headers = [] }: MessagePart, wanted: string): string[] {
  return headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}
