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

/** What Dropbox exports to: which ending and kind of file that is. The best is first; others are not asked for. */
const FORMATS: Readonly<Record<string, readonly [ending: string, mimeType: string]>> = {
  pdf: ['pdf', 'application/pdf'],
  docx: ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  xlsx: ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  pptx: ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  html: ['html', 'text/html'],
  markdown: ['md', 'text/markdown'],
  plain_text: ['txt', 'text/plain'],
};

/** Where the bytes of a file are; stored with the document. */
export type DropboxFileRef = {
  readonly id: string;
  /** What to export it to; null for what has bytes of its own. */
  readonly format: string | null;
  readonly hash: string | null;
};

/** Which files the user wants. */
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

  /** `path` is the way from the chosen folder. What came to Dropbox, or was changed there, before the start date, is ignored. */
  judge(file: DropboxFile, path: string): Verdict {
    const modifiedAt = new Date(file.server_modified);
    if (!this.files.isInTime({ modifiedAt })) return 'ignored';
    const isWanted = isNative(file)
      ? formatOf(file) !== null && this.natives?.wants(path, '') === true
      : file.size > 0 && this.files.wants(path, '');
    return isWanted ? reference(file, path) : 'unwanted';
  }
}

const isNative = (file: DropboxFile): boolean => file.is_downloadable === false;

function formatOf({ export_info: info }: DropboxFile): string | null {
  const offered = [info?.export_as, ...(info?.export_options ?? [])];
  return Object.keys(FORMATS).find((format) => offered.includes(format)) ?? null;
}

/** A file as a document. Which one it is says its id, which version the hash of its content: both outlive renaming and moving. */
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

/** Reads a stored locator. Throws `UnexpectedResponse` when it is not one of ours. */
export function parseFileRef(stored: Json): DropboxFileRef {
  const value = stored as Partial<DropboxFileRef> | null;
  if (typeof value !== 'object' || typeof value?.id !== 'string') {
    throw new UnexpectedResponse('The stored place of a file is not readable.');
  }
  return value as DropboxFileRef;
}
