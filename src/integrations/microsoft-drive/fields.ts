import type { FieldOption, FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD, fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [TIME_ZONE_FIELD] as const satisfies readonly FieldSpec[];
export type DriveSession = Session<FieldValues<typeof STEP1>>;

/** The user's own drive. */
export const OWN = 'root';
/** All of SharePoint. Selecting it requests the consent that its libraries require; it contains no documents itself. */
export const SHAREPOINT = 'sharepoint';

/** The address of a folder: a drive and the folder's id in it; `root` is the root folder. */
export interface DriveItemAddress {
  readonly driveId: string;
  readonly id: string;
}

/** The option value of a folder, which distinguishes libraries of SharePoint from personal drives. */
export function valueOf({ driveId, id }: DriveItemAddress, isSharePoint: boolean): string {
  return `${isSharePoint ? `${SHAREPOINT}:` : ''}${driveId}/${id}`;
}

/** Parses an option value; null when it is invalid or no folder. */
export function addressOf(value: string): (DriveItemAddress & { readonly isSharePoint: boolean }) | typeof OWN | null {
  if (value === OWN) return OWN;
  const [, library, driveId, id] = /^(sharepoint:)?([^/:\s]+)\/([^/:\s]+)$/.exec(value) ?? [];
  return driveId === undefined || id === undefined ? null : { driveId, id, isSharePoint: library !== undefined };
}

/** Whether SharePoint is selected, which requires an additional consent. */
export function wantsSharePoint(step2: Readonly<Record<string, unknown>>): boolean {
  const { folders } = step2;
  return Array.isArray(folders) && folders.some((value) => /^sharepoint(:|$)/.test(String(value)));
}

/** The second step of file storages. */
export const driveFields = (folders: readonly FieldOption[]): FieldSpec[] => fileSelectionFields(folders, OWN);
