import { Readable } from 'node:stream';
import type { SourceDocument } from '../core/source-document';
import { DocumentUnavailable } from '../core/source-errors';
import { withoutUuencoding } from '../shared/mail/containers/uu-decoder';
import { embeddedBase64 } from '../shared/rest/embedded-base64';
import { refetch } from '../shared/rest/refetch';
import type { GmailApi } from './gmail-api';
import { withDescendants } from './mail-documents';
import type { GmailPartRef } from './part-ref';

/**
 * Opens one attachment and decodes it as it arrives, so that memory does not grow with its size.
 * Throws `DocumentUnavailable` when the mail was deleted, and the API's errors; the stream fails with the same errors.
 */
export async function openPart(api: GmailApi, part: GmailPartRef, filename: string): Promise<SourceDocument> {
  const encoded = await openEncoded(api, part, filename);
  if (!part.uuencoded) return encoded;
  const stream = Readable.from(withoutUuencoding(encoded.stream), { objectMode: false });
  stream.once('close', () => encoded.stream.destroy());
  return { stream, filename, mimeType: part.mimeType };
}

async function openEncoded(api: GmailApi, part: GmailPartRef, filename: string): Promise<SourceDocument> {
  if (part.size === 0) throw new DocumentUnavailable('The attachment is empty.', true, { problem: 'EMPTY' });
  const { mimeType, attachment } = part;
  if (attachment === null) {
    const bytes = await contentInMail(api, part);
    return { stream: Readable.from([bytes], { objectMode: false }), filename, mimeType, size: bytes.length };
  }
  const source = await openByCurrentId(api, part, attachment);
  return { stream: Readable.from(refetch(source.read, source.first), { objectMode: false }), filename, mimeType };
}

interface Source {
  readonly first: AsyncGenerator<Buffer>;
  /** Requests the content again from the beginning. */
  readonly read: () => Promise<AsyncGenerator<Buffer>>;
}

/** The attachment id from the listing expires; after that the mail has another one. */
async function openByCurrentId(api: GmailApi, part: GmailPartRef, listed: string): Promise<Source> {
  const reader = (id: string) => async () =>
    (await embeddedBase64(await api.attachment(part.message, id), 'data')).bytes;
  try {
    const read = reader(listed);
    return { first: await read(), read };
  } catch (error) {
    if (!(error instanceof DocumentUnavailable)) throw error;
    const { attachmentId } = (await partOf(api, part, 'without its bytes')).body ?? {};
    if (attachmentId === undefined) throw error;
    const read = reader(attachmentId);
    return { first: await read(), read };
  }
}

async function contentInMail(api: GmailApi, part: GmailPartRef): Promise<Buffer> {
  const { data } = (await partOf(api, part, 'with its bytes')).body ?? {};
  if (data === undefined) throw new DocumentUnavailable('Gmail: the part has become an attachment.', false);
  return Buffer.from(data, 'base64url');
}

async function partOf(api: GmailApi, { message, part }: GmailPartRef, how: 'with its bytes' | 'without its bytes') {
  const { payload = {} } = how === 'with its bytes' ? await api.wholeMessage(message) : await api.message(message);
  const found = withDescendants(payload).find(({ partId = '' }) => partId === part);
  if (!found) throw new DocumentUnavailable('Gmail: the mail no longer contains the part.', true);
  return found;
}
