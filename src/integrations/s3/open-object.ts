import type { DocumentRef, SourceDocument } from '../core/source-document';
import { discardBody, type SourceHttpResponse } from '../shared/http/source-http-client';
import { FileRef, type SizedFileRef } from '../shared/tree-sync/files/file-ref';
import { asDocument, fileChanged, resumableRead } from '../shared/tree-sync/files/resumable-read';
import { etagOf } from './list-objects';
import type { S3Client } from './s3-client';

/**
 * Opens a listed object. When the connection breaks, the rest is requested; the content has to be of the listed version.
 * Throws `DocumentUnavailable`, `RateLimited` or `Transient`; the stream fails with the same errors.
 */
export function openObject(client: S3Client, ref: DocumentRef): Promise<SourceDocument> {
  const file = FileRef.readSized(ref.locator);
  return asDocument(
    ref,
    file.size,
    resumableRead('S3', file.size, (position) => readFrom(client, file, position)),
  );
}

async function* readFrom(client: S3Client, file: SizedFileRef, position: number): AsyncGenerator<Buffer> {
  const response = await client.open(file.path, {
    ...(file.version.startsWith('"') && { 'if-match': file.version }),
    ...(position > 0 && { range: `bytes=${position}-` }),
  });
  if (!isListed(file, response, position)) {
    await discardBody(response);
    throw fileChanged('S3');
  }
  // A server without range support starts from the beginning.
  let skip = response.status === 200 ? position : 0;
  for await (const bytes of client.http.bytes(response)) {
    if (bytes.length > skip) yield skip > 0 ? bytes.subarray(skip) : bytes;
    skip = Math.max(0, skip - bytes.length);
  }
}

/** Whether a response is the listed version, or the rest of it. */
function isListed({ version, size }: SizedFileRef, { status, headers }: SourceHttpResponse, position: number): boolean {
  const etag = etagOf(headers.etag);
  if (version.startsWith('"') && etag !== undefined && etag !== version) return false;
  if (status === 206) return headers['content-range']?.startsWith(`bytes ${position}-`) === true;
  const length = headers['content-length'];
  return length === undefined || Number(length) === size;
}
