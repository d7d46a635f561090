import type { DocumentRef, SourceDocument } from '../core/source-document';
import { verifyChecksum } from '../shared/tree-sync/files/verify-checksum';
import { ContentHash } from './content-hash';
import { DropboxApi } from './dropbox-api';
import { mimeTypeOf, parseFileRef } from './dropbox-selection';
import type { DropboxSession } from './fields';

/** The content of a file, exported if necessary. Throws `DocumentUnavailable` when it differs from the listed version. */
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
