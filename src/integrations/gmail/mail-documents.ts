import type { DocumentRef } from '../source-document';
import { documentKey, mailSource } from '../shared/mail/mail-facts';
import { type MailFilters, passes } from '../shared/mail/mail-filters';
import { mailHeaders } from '../shared/mail/mail-headers';
import { nameParts } from '../shared/mail/part-names';
import { documentParts, type MailNode } from '../shared/mail/parts';
import type { Message, MessagePart } from './gmail-api';
import type { PartLocator } from './part-locator';

/** The documents of one mail, and whether the connection's filters let the mail pass. `path` is the label it was found by. */
export function readMail(
  { id, payload = {}, internalDate }: Message,
  path: string | undefined,
  filters: MailFilters,
): { documents: DocumentRef[]; passed: boolean } {
  const headers = mailHeaders((name) => headersOf(payload, name));
  const source = mailSource(headers, path, internalDate === undefined ? undefined : Number(internalDate));
  const parts = documentParts(treeOf(payload));
  const names = nameParts(parts, headers.subject);
  const attachments = new Map(withAllBelow(payload).map(({ partId = '', body }) => [partId, body?.attachmentId]));
  const documents = parts.map(({ section, declaredType, encoding, size, kind, ref = '' }, index): DocumentRef => {
    const { mimeType } = kind;
    const locator: PartLocator = { message: id, part: ref, attachment: attachments.get(ref) ?? null, size, mimeType };
    return {
      // Its place, type, encoding and size never change in a mail; its name may be decoded better one day.
      dedupeKey: documentKey(headers, [section, declaredType, encoding, size]),
      externalId: null,
      filename: names[index]!,
      metadata: { source },
      locator,
      size,
    };
  });
  return { documents, passed: passes(filters, headers) };
}

/** A part with all parts below it. */
export function withAllBelow(part: MessagePart): MessagePart[] {
  return [part, ...(part.parts ?? []).flatMap(withAllBelow)];
}

function treeOf(part: MessagePart): MailNode {
  const header = (name: string): string | undefined => headersOf(part, name)[0];
  const [disposition, description, id] = ['content-disposition', 'content-description', 'content-id'].map(header);
  return {
    type: part.mimeType?.toLowerCase() ?? 'text/plain',
    childNodes: (part.parts ?? []).map(treeOf),
    disposition: disposition?.split(';')[0]!.trim().toLowerCase() ?? '',
    dispositionParameters: part.filename ? { filename: part.filename } : {},
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
