import type { DocumentRef, SourceDocument } from '../core/source-document';
import { verifyChecksum } from '../shared/tree-sync/files/verify-checksum';
import { ContentHash } from './content-hash';
import { DropboxApi } from './dropbox-api';
import { mimeTypeOf, parseFileRef } from './dropbox-selection';
import type { DropboxSession } from './fields';

/** The bytes of a file, or of what it is exported to. Throws `DocumentUnavailable` when they are not those that were listed. */
export async function openFile(session: DropboxSession, ref: DocumentRef): Promise<SourceDocument> {
  const { id, format, hash } = parseFileRef(ref.locator);
  const api = await DropboxApi.open(session);
  if (format !== null) {
    const { stream } = await api.export(id, format);
    return { stream, filename: ref.filename, mimeType: mimeTypeOf(format) };
  }
  const { stream, size, mimeType } = await api.content(id);
  const checked = hash === null ? stream : verifyChecksum('Dropbox', stream, new ContentHash(), hash);
  return { stream: checked, filename: ref.filename, mimeType, ...(size !== undefined && { size }) };
}
