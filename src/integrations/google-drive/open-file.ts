import { createHash } from 'node:crypto';
import type { DocumentRef, SourceDocument } from '../core/source-document';
import { verifyChecksum } from '../shared/tree-sync/files/verify-checksum';
import { DriveApi } from './drive-api';
import { parseFileRef } from './drive-selection';
import type { DriveSession } from './fields';

/** The content of a file, or a Google document as PDF. Throws `DocumentUnavailable` when it differs from the listed version. */
export async function openFile(session: DriveSession, ref: DocumentRef): Promise<SourceDocument> {
  const { id, export: format, mimeType, md5 } = parseFileRef(ref.locator);
  const api = new DriveApi(session);
  if (format !== null) {
    const { stream } = await api.export(id, format);
    return { stream, filename: ref.filename, mimeType: format };
  }
  const { stream, size } = await api.content(id);
  const checked = md5 === null ? stream : verifyChecksum('Google Drive', stream, createHash('md5'), md5);
  return { stream: checked, filename: ref.filename, mimeType, ...(size !== undefined && { size }) };
}
