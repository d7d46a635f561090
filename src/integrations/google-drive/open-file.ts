import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DocumentRef, SourceDocument } from '../source-document';
import { DocumentUnavailable } from '../source-errors';
import { DriveApi } from './drive-api';
import { readLocator } from './drive-choice';
import type { DriveSession } from './fields';

/** The bytes of a file, or of a Google document as PDF. Throws `DocumentUnavailable` when they are not those that were listed. */
export async function openFile(session: DriveSession, ref: DocumentRef): Promise<SourceDocument> {
  const { id, export: format, mimeType, md5 } = readLocator(ref.locator);
  const api = new DriveApi(session);
  if (format !== null) {
    const { stream } = await api.export(id, format);
    return { stream, filename: ref.filename, mimeType: format };
  }
  const { stream, size } = await api.content(id);
  const checked = md5 === null ? stream : Readable.from(sameBytes(stream, md5), { objectMode: false });
  return { stream: checked, filename: ref.filename, mimeType, ...(size !== undefined && { size }) };
}

/** Also after a download that went on in the middle. The next listing shows the version that took the place of this one. */
async function* sameBytes(stream: Readable, md5: string): AsyncGenerator<Buffer> {
  const hash = createHash('md5');
  for await (const bytes of stream) {
    hash.update(bytes as Buffer);
    yield bytes as Buffer;
  }
  if (hash.digest('hex') !== md5) {
    throw new DocumentUnavailable('Google Drive: the file was changed since it was listed.', true);
  }
}
