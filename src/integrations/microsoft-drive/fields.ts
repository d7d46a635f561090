import type { FieldOption, FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD, fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [TIME_ZONE_FIELD] as const satisfies readonly FieldSpec[];
export type DriveSession = Session<FieldValues<typeof STEP1>>;

/** The user's own drive. */
export const OWN = 'root';
/** All of SharePoint. Chosen, it asks for the consent that the libraries below it take; by itself it holds no documents. */
export const SHAREPOINT = 'sharepoint';

/** Where a folder is: a drive, and the folder's id in it; `root` is the drive's own. */
export interface DriveItemAddress {
  readonly driveId: string;
  readonly id: string;
}

/** How a folder of the tree is chosen: libraries of SharePoint can be told from drives of people. */
export function valueOf({ driveId, id }: DriveItemAddress, isSharePoint: boolean): string {
  return `${isSharePoint ? `${SHAREPOINT}:` : ''}${driveId}/${id}`;
}

/** The folder that a chosen value means; null when it is none of ours, or only leads to others. */
export function addressOf(value: string): (DriveItemAddress & { readonly isSharePoint: boolean }) | typeof OWN | null {
  if (value === OWN) return OWN;
  const [, library, driveId, id] = /^(sharepoint:)?([^/:\s]+)\/([^/:\s]+)$/.exec(value) ?? [];
  return driveId === undefined || id === undefined ? null : { driveId, id, isSharePoint: library !== undefined };
}

/** Whether the user wants SharePoint, which takes a consent of its own. */
export function wantsSharePoint(step2: Readonly<Record<string, unknown>>): boolean {
  const { folders } = step2;
  return Array.isArray(folders) && folders.some((value) => /^sharepoint(:|$)/.test(String(value)));
}

/** The second step of every storage. */
export const driveFields = (folders: readonly FieldOption[]): FieldSpec[] => fileSelectionFields(folders, OWN);
