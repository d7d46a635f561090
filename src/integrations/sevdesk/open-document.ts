import { Readable } from 'node:stream';
import type { DocumentRef, SourceDocument } from '../core/source-document';
import { DocumentUnavailable } from '../core/source-errors';
import { embeddedBase64 } from '../shared/rest/embedded-base64';
import { parseDocumentRef } from './documents';
import type { SevdeskSession } from './fields';
import { SevdeskApi } from './sevdesk-api';

const PDF = 'application/pdf';

/** The PDF of an invoice or credit note, decoded as it arrives. */
export async function openDocument(session: SevdeskSession, ref: DocumentRef): Promise<SourceDocument> {
  const { resource, id } = parseDocumentRef(ref.locator);
  const { stream, mimeType } = await new SevdeskApi(session).pdf(resource, id);
  // The API may interpret `download` as the file itself.
  if (mimeType === PDF) return { stream, filename: ref.filename, mimeType };
  const { head, bytes } = await embeddedBase64(stream, 'content');
  const kind = head.get('mimeType') ?? PDF;
  return {
    stream: Readable.from(notEmpty(bytes), { objectMode: false }),
    filename: head.get('filename') ?? ref.filename,
    mimeType: /^[\w.+-]+\/[\w.+-]+$/.test(kind) ? kind : PDF,
  };
}

async function* notEmpty(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isEmpty = true;
  for await (const part of bytes) {
    isEmpty = false;
    yield part;
  }
  if (isEmpty) throw new DocumentUnavailable('sevdesk delivers an empty document.', false);
}
