import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import type { Verdict } from '../shared/tree-sync/selection/dedupe-filter';
import { fileSource } from '../shared/tree-sync/files/file-source';
import { digest, type FileSelection, fileSelection } from '../shared/tree-sync/selection/file-selection';
import type { BoxFile } from './box-api';
import type { BoxEntry } from './box-tree';
import { ALL_FILES, type BoxSession } from './fields';

/** Box's own notes: what the API gives out is how their editor stores them, and nobody's document. */
const isNote = ({ name }: BoxFile): boolean => /\.boxnote$/i.test(name);

/** Where the bytes of a file are; stored with the document. */
export type BoxFileRef = {
  readonly id: string;
  /** Null where Box puts a watermark on whatever it gives out. */
  readonly sha1: string | null;
};

/** Which files the user wants. */
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

  /** What came to Box, or was changed there, before the start date is ignored; so is what the user does not want once it was counted. */
  judge({ file, path }: BoxEntry, walked: number | null): Verdict {
    const modifiedAt = new Date(file.modified_at);
    if (!this.files.isInTime({ modifiedAt })) return 'ignored';
    if (file.size > 0 && !isNote(file) && this.files.wants(path, '')) return reference(file, path);
    return walked === null || modifiedAt.getTime() >= walked ? 'unwanted' : 'ignored';
  }
}

/** A file as a document. Which one it is says its id, which version the hash of its content: both outlive renaming and moving. */
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

/** Reads a stored locator. Throws `UnexpectedResponse` when it is not one of ours. */
export function parseFileRef(stored: Json): BoxFileRef {
  const value = stored as Partial<BoxFileRef> | null;
  if (typeof value !== 'object' || typeof value?.id !== 'string') {
    throw new UnexpectedResponse('The stored place of a file is not readable.');
  }
  return value as BoxFileRef;
}
