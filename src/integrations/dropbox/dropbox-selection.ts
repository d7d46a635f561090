import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import type { Verdict } from '../shared/tree-sync/selection/dedupe-filter';
import { fileSource } from '../shared/tree-sync/files/file-source';
import {
  digest,
  nativeFileSelection,
  type FileSelection,
  fileSelection,
} from '../shared/tree-sync/selection/file-selection';
import type { DropboxFile } from './dropbox-api';
import { type DropboxSession, NATIVE_KIND, ROOT } from './fields';

/** The export formats of Dropbox with extension and MIME type, in order of preference. */
const FORMATS: Readonly<Record<string, readonly [ending: string, mimeType: string]>> = {
  pdf: ['pdf', 'application/pdf'],
  docx: ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  xlsx: ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  pptx: ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  html: ['html', 'text/html'],
  markdown: ['md', 'text/markdown'],
  plain_text: ['txt', 'text/plain'],
};

/** Identifies a file; stored with the document. */
export type DropboxFileRef = {
  readonly id: string;
  /** The export format; null for files that are downloaded directly. */
  readonly format: string | null;
  readonly hash: string | null;
};

/** The user's selection of files. */
export class DropboxSelection {
  private readonly files: FileSelection;
  private readonly natives: FileSelection | null;

  constructor({ step2, fields }: DropboxSession, startdate: string | null) {
    this.files = fileSelection(step2, ROOT, startdate, fields.time_zone);
    this.natives = nativeFileSelection(NATIVE_KIND, step2, ROOT, startdate, fields.time_zone);
  }

  get folders(): readonly string[] {
    return this.files.folders;
  }

  get digest(): string {
    return this.files.digest;
  }

  /** `path` is relative to the selected folder. */
  judge(file: DropboxFile, path: string): Verdict {
    const modifiedAt = new Date(file.server_modified);
    const { size } = file;
    if (!isNative(file)) return this.files.exclusion({ path, modifiedAt, size }, '') ?? reference(file, path);
    if (!this.natives || formatOf(file) === null) return 'TYPE';
    return this.natives.exclusion({ path, modifiedAt }, '') ?? reference(file, path);
  }
}

const isNative = (file: DropboxFile): boolean => file.is_downloadable === false;

function formatOf({ export_info: info }: DropboxFile): string | null {
  const offered = [info?.export_as, ...(info?.export_options ?? [])];
  return Object.keys(FORMATS).find((format) => offered.includes(format)) ?? null;
}

/** A file as a document, identified by its id and the hash of its content, which are stable when it is renamed or moved. */
function reference(file: DropboxFile, path: string): DocumentRef {
  const { id, name, rev, content_hash: hash, client_modified, preview_url, size } = file;
  const format = isNative(file) ? formatOf(file) : null;
  return {
    dedupeKey: `file:${digest([id, hash ?? rev])}`,
    isSameByContent: true,
    externalId: id,
    filename: format === null ? name : `${name.replace(/\.[^.]+$/, '')}.${FORMATS[format]![0]}`,
    metadata: { source: fileSource(path, client_modified, preview_url) },
    locator: { id, format, hash: format === null ? (hash ?? null) : null } satisfies DropboxFileRef,
    ...(format === null && { size }),
  };
}

export const mimeTypeOf = (format: string): string => FORMATS[format]?.[1] ?? 'application/octet-stream';

/** Parses a stored file reference. @throws UnexpectedResponse when it is invalid */
export function parseFileRef(stored: Json): DropboxFileRef {
  const value = stored as Partial<DropboxFileRef> | null;
  if (typeof value !== 'object' || typeof value?.id !== 'string') {
    throw new UnexpectedResponse('The stored reference of a file is invalid.');
  }
  return value as DropboxFileRef;
}
