import type { DocumentRef, SourceDocument } from '../core/source-document';
import { sameBytes } from '../shared/walk/files/same-bytes';
import { ContentHash } from './content-hash';
import { DropboxApi } from './dropbox-api';
import { mimeTypeOf, readLocator } from './dropbox-choice';
import type { DropboxSession } from './fields';

/** The bytes of a file, or of what it is exported to. Throws `DocumentUnavailable` when they are not those that were listed. */
export async function openFile(session: DropboxSession, ref: DocumentRef): Promise<SourceDocument> {
  const { id, format, hash } = readLocator(ref.locator);
  const api = await DropboxApi.open(session);
  if (format !== null) {
    const { stream } = await api.export(id, format);
    return { stream, filename: ref.filename, mimeType: mimeTypeOf(format) };
  }
  const { stream, size, mimeType } = await api.content(id);
  const checked = hash === null ? stream : sameBytes('Dropbox', stream, new ContentHash(), hash);
  return { stream: checked, filename: ref.filename, mimeType, ...(size !== undefined && { size }) };
}
