import type { FilterReason } from '../core/filter-reason';
import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import { fileSource } from '../shared/tree-sync/files/file-source';
import { digest, type FileSelection, fileSelection } from '../shared/tree-sync/selection/file-selection';
import type { DriveItem } from './drive-api';
import { type DriveSession, OWN } from './fields';

/** Identifies a file; stored with the document. */
export type MicrosoftDriveFileRef = { readonly driveId: string; readonly id: string; readonly mimeType: string };

const UNKNOWN_TYPE = 'application/octet-stream';

/** The user's selection of files. */
export class MicrosoftDriveSelection {
  private readonly files: FileSelection;

  constructor({ step2, fields }: DriveSession, startdate: string | null) {
    this.files = fileSelection(step2, OWN, startdate, fields.time_zone);
  }

  get folders(): readonly string[] {
    return this.files.folders;
  }

  get digest(): string {
    return this.files.digest;
  }

  /** `path` is relative to the selected folder. Moving a file changes neither of its times; malware cannot be downloaded. */
  exclusion(
    { createdDateTime, lastModifiedDateTime, size = 0, malware }: DriveItem,
    path: string,
  ): FilterReason | undefined {
    const times = [createdDateTime, lastModifiedDateTime].map((time) => Date.parse(time ?? ''));
    const latest = Math.max(...times.filter((time) => !Number.isNaN(time)));
    const modifiedAt = Number.isFinite(latest) ? new Date(latest) : undefined;
    return this.files.exclusion({ path, modifiedAt, size }, '') ?? (malware ? 'MALWARE' : undefined);
  }
}

/** A file as a document, identified by id and version and deduplicated by content. */
export function reference(driveId: string, item: DriveItem, path: string): DocumentRef {
  const { id, name = id, file, size, webUrl, lastModifiedDateTime: modified } = item;
  const { quickXorHash, sha256Hash, sha1Hash } = file?.hashes ?? {};
  const version = quickXorHash ?? sha256Hash ?? sha1Hash ?? item.cTag ?? modified ?? '';
  const locator: MicrosoftDriveFileRef = { driveId, id, mimeType: file?.mimeType ?? UNKNOWN_TYPE };
  return {
    dedupeKey: `file:${digest([driveId, id, version])}`,
    isSameByContent: true,
    externalId: id,
    filename: name,
    metadata: { source: fileSource(path, modified, webUrl) },
    locator,
    ...(size !== undefined && { size }),
  };
}

/** Parses a stored file reference. @throws UnexpectedResponse when it is invalid */
export function parseFileRef(stored: Json): MicrosoftDriveFileRef {
  const value = stored as Partial<MicrosoftDriveFileRef> | null;
  const isWhole =
    typeof value === 'object' && [value?.driveId, value?.id, value?.mimeType].every((part) => typeof part === 'string');
  if (!isWhole) throw new UnexpectedResponse('The stored reference of a file is invalid.');
  return value as MicrosoftDriveFileRef;
}
