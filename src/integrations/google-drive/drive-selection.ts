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

/** Google's own documents that can be had as PDF. */
const EXPORTED = ['document', 'spreadsheet', 'presentation', 'drawing'].map(
  (kind) => `application/vnd.google-apps.${kind}`,
);
const PDF = 'application/pdf';

export const isNative = ({ mimeType }: Pick<DriveFile, 'mimeType'>): boolean =>
  mimeType.startsWith('application/vnd.google-apps.');

/** Where the bytes of a file are; stored with the document. */
export type GoogleDriveFileRef = {
  readonly id: string;
  /** What to export it as; null for what has bytes of its own. */
  readonly export: string | null;
  readonly mimeType: string;
  readonly md5: string | null;
};

/** Which files the user wants. */
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

  /** Whether it came, or was changed, since the start date: a file that is moved in keeps the date of its last change. */
  isInTime({ createdTime, modifiedTime }: DriveFile): boolean {
    const latest = new Date(Math.max(Date.parse(createdTime), Date.parse(modifiedTime)));
    return this.files.isInTime({ modifiedAt: latest });
  }

  /** `path` is the way from the chosen folder. */
  wants(file: DriveFile, path: string): boolean {
    if (!isNative(file)) return Number(file.size ?? 0) > 0 && this.files.wants(path, '');
    return EXPORTED.includes(file.mimeType) && this.natives?.wants(path, '') === true;
  }
}

/** A file as a document. Which one it is says its id and its version; whether it is new, its content. */
export function reference(file: DriveFile, path: string): DocumentRef {
  const { id, name, mimeType, md5Checksum, modifiedTime, size, webViewLink } = file;
  const native = isNative(file);
  const locator: GoogleDriveFileRef = { id, export: native ? PDF : null, mimeType, md5: md5Checksum ?? null };
  return {
    dedupeKey: `file:${digest([id, md5Checksum ?? modifiedTime])}`,
    // Exported twice, the bytes of the same document differ.
    isSameByContent: !native,
    externalId: id,
    filename: native && !/\.pdf$/i.test(name) ? `${name}.pdf` : name,
    metadata: { source: fileSource(path, modifiedTime, webViewLink) },
    locator,
    ...(!native && size !== undefined && { size: Number(size) }),
  };
}

/** Reads a stored locator. Throws `UnexpectedResponse` when it is not one of ours. */
export function parseFileRef(stored: Json): GoogleDriveFileRef {
  const value = stored as Partial<GoogleDriveFileRef> | null;
  if (typeof value !== 'object' || typeof value?.id !== 'string' || typeof value.mimeType !== 'string') {
    throw new UnexpectedResponse('The stored place of a file is not readable.');
  }
  return value as GoogleDriveFileRef;
}
