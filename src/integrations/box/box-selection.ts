import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import type { Verdict } from '../shared/tree-sync/selection/dedupe-filter';
import { fileSource } from '../shared/tree-sync/files/file-source';
import { digest, type FileSelection, fileSelection } from '../shared/tree-sync/selection/file-selection';
import type { BoxFile } from './box-api';
import type { BoxEntry } from './box-tree';
import { ALL_FILES, type BoxSession } from './fields';

/** Box Notes: the API returns the internal format of their editor, which is not a document. */
const isNote = ({ name }: BoxFile): boolean => /\.boxnote$/i.test(name);

/** Identifies a file; stored with the document. */
export type BoxFileRef = {
  readonly id: string;
  /** Null when Box adds a watermark to downloads. */
  readonly sha1: string | null;
};

/** The user's selection of files. */
export class BoxSelection {
  private readonly files: FileSelection;

  constructor({ step2, fields }: BoxSession, startdate: string | null) {
    this.files = fileSelection(step2, ALL_FILES, startdate, fields.time_zone);
  }

  get folders(): readonly string[] {
    return this.files.folders;
  }

  get digest(): string {
    return this.files.digest;
  }

  /** Ignores excluded files that were counted before. */
  judge({ file, path }: BoxEntry, syncedAt: number | null): Verdict {
    const modifiedAt = new Date(file.modified_at);
    const reason =
      this.files.exclusion({ path, modifiedAt, size: file.size }, '') ?? (isNote(file) ? 'TYPE' : undefined);
    if (reason === undefined) return reference(file, path);
    return syncedAt === null || modifiedAt.getTime() >= syncedAt ? reason : 'ignored';
  }
}

/** A file as a document, identified by its id and the hash of its content, which are stable when it is renamed or moved. */
function reference(file: BoxFile, path: string): DocumentRef {
  const { id, name, sha1, size, modified_at, content_modified_at, watermark_info: mark } = file;
  return {
    dedupeKey: `file:${digest([id, sha1])}`,
    isSameByContent: true,
    externalId: id,
    filename: name,
    metadata: { source: fileSource(path, content_modified_at ?? modified_at, `https://app.box.com/file/${id}`) },
    locator: { id, sha1: mark?.is_watermarked ? null : sha1 } satisfies BoxFileRef,
    ...(!mark?.is_watermarked && { size }),
  };
}

/** Parses a stored file reference. @throws UnexpectedResponse when it is invalid */
export function parseFileRef(stored: Json): BoxFileRef {
  const value = stored as Partial<BoxFileRef> | null;
  if (typeof value !== 'object' || typeof value?.id !== 'string') {
    throw new UnexpectedResponse('The stored reference of a file is invalid.');
  }
  return value as BoxFileRef;
}
