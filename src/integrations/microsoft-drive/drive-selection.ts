import type { DocumentRef, Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import { fileSource } from '../shared/tree-sync/files/file-source';
import { digest, type FileSelection, fileSelection } from '../shared/tree-sync/selection/file-selection';
import type { DriveItem } from './drive-api';
import { type DriveSession, OWN } from './fields';

/** Where the bytes of a file are; stored with the document. */
export type MicrosoftDriveFileRef = { readonly driveId: string; readonly id: string; readonly mimeType: string };

const UNKNOWN_TYPE = 'application/octet-stream';

/** Which files the user wants. */
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

  /** Whether it came, or was changed, since the start date: a file that is moved in keeps the date of its last change. */
  isInTime({ createdDateTime, lastModifiedDateTime }: DriveItem): boolean {
    const times = [createdDateTime, lastModifiedDateTime].map((time) => Date.parse(time ?? ''));
    const latest = Math.max(...times.filter((time) => !Number.isNaN(time)));
    const modifiedAt = Number.isFinite(latest) ? new Date(latest) : undefined;
    return this.files.isInTime({ modifiedAt });
  }

  /** `path` is the way from the chosen folder. What Microsoft has found malware in is not given out. */
  wants(file: DriveItem, path: string): boolean {
    return (file.size ?? 0) > 0 && !file.malware && this.files.wants(path, '');
  }
}

/** A file as a document. Which one it is says its id and its version; whether it is new, its content. */
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

/** Reads a stored locator. Throws `UnexpectedResponse` when it is not one of ours. */
export function parseFileRef(stored: Json): MicrosoftDriveFileRef {
  const value = stored as Partial<MicrosoftDriveFileRef> | null;
  const isWhole =
    typeof value === 'object' && [value?.driveId, value?.id, value?.mimeType].every((part) => typeof part === 'string');
  if (!isWhole) throw new UnexpectedResponse('The stored place of a file is not readable.');
  return value as MicrosoftDriveFileRef;
}
