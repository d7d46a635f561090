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

  /** Whether it was created or changed since the start date; moving a file does not change these dates. */
  isInTime({ createdDateTime, lastModifiedDateTime }: DriveItem): boolean {
    const times = [createdDateTime, lastModifiedDateTime].map((time) => Date.parse(time ?? ''));
    const latest = Math.max(...times.filter((time) => !Number.isNaN(time)));
    const modifiedAt = Number.isFinite(latest) ? new Date(latest) : undefined;
    return this.files.isInTime({ modifiedAt });
  }

  /** `path` is relative to the selected folder. Files with detected malware cannot be downloaded. */
  wants(file: DriveItem, path: string): boolean {
    return (file.size ?? 0) > 0 && !file.malware && this.files.wants(path, '');
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
