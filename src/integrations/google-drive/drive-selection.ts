import type { FilterReason } from '../core/filter-reason';
import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import { fileSource } from '../shared/tree-sync/files/file-source';
import {
  digest,
  nativeFileSelection,
  type FileSelection,
  fileSelection,
} from '../shared/tree-sync/selection/file-selection';
import type { DriveFile } from './drive-api';
import { type DriveSession, MY_DRIVE, NATIVE_KIND } from './fields';

/** Google document types that can be exported as PDF. */
const EXPORTED = ['document', 'spreadsheet', 'presentation', 'drawing'].map(
  (kind) => `application/vnd.google-apps.${kind}`,
);
const PDF = 'application/pdf';

export const isNative = ({ mimeType }: Pick<DriveFile, 'mimeType'>): boolean =>
  mimeType.startsWith('application/vnd.google-apps.');

/** Identifies a file; stored with the document. */
export type GoogleDriveFileRef = {
  readonly id: string;
  /** The export format; null for files that are downloaded directly. */
  readonly export: string | null;
  readonly mimeType: string;
  readonly md5: string | null;
};

/** The user's selection of files. */
export class GoogleDriveSelection {
  private readonly files: FileSelection;
  private readonly natives: FileSelection | null;

  constructor({ step2, fields }: DriveSession, startdate: string | null) {
    this.files = fileSelection(step2, MY_DRIVE, startdate, fields.time_zone);
    this.natives = nativeFileSelection(NATIVE_KIND, step2, MY_DRIVE, startdate, fields.time_zone);
  }

  get folders(): readonly string[] {
    return this.files.folders;
  }

  get digest(): string {
    return this.files.digest;
  }

  /** `path` is relative to the selected folder. Moving a file changes neither of its times. */
  exclusion(file: DriveFile, path: string): FilterReason | undefined {
    const { createdTime, modifiedTime, size = 0 } = file;
    const modifiedAt = new Date(Math.max(Date.parse(createdTime), Date.parse(modifiedTime)));
    if (!isNative(file)) return this.files.exclusion({ path, modifiedAt, size: Number(size) }, '');
    if (!this.natives || !EXPORTED.includes(file.mimeType)) return 'TYPE';
    return this.natives.exclusion({ path, modifiedAt }, '');
  }
}

/** A file as a document, identified by id and version and deduplicated by content. */
export function reference(file: DriveFile, path: string): DocumentRef {
  const { id, name, mimeType, md5Checksum, modifiedTime, size, webViewLink } = file;
  const native = isNative(file);
  const locator: GoogleDriveFileRef = { id, export: native ? PDF : null, mimeType, md5: md5Checksum ?? null };
  return {
    dedupeKey: `file:${digest([id, md5Checksum ?? modifiedTime])}`,
    // Every export of the same document has different bytes.
    isSameByContent: !native,
    externalId: id,
    filename: native && !/\.pdf$/i.test(name) ? `${name}.pdf` : name,
    metadata: { source: fileSource(path, modifiedTime, webViewLink) },
    locator,
    ...(!native && size !== undefined && { size: Number(size) }),
  };
}

/** Parses a stored file reference. @throws UnexpectedResponse when it is invalid */
export function parseFileRef(stored: Json): GoogleDriveFileRef {
  const value = stored as Partial<GoogleDriveFileRef> | null;
  if (typeof value !== 'object' || typeof value?.id !== 'string' || typeof value.mimeType !== 'string') {
    throw new UnexpectedResponse('The stored reference of a file is invalid.');
  }
  return value as GoogleDriveFileRef;
}
