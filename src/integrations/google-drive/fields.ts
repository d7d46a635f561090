import type { FieldOption, FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD, fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [TIME_ZONE_FIELD] as const satisfies readonly FieldSpec[];
export type DriveSession = Session<FieldValues<typeof STEP1>>;

/** The user's own drive: Google's alias. */
export const MY_DRIVE = 'root';
/** Items that others have shared with the user. */
export const SHARED_WITH_ME = 'shared_with_me';
/** The kind of files that have no content until they are exported. */
export const NATIVE_KIND = 'google_docs';

const NATIVE = {
  value: NATIVE_KIND,
  label: {
    en: 'Google Docs, Sheets and Slides (as PDF)',
    de: 'Google-Dokumente, -Tabellen und -Präsentationen (als PDF)',
  },
} as const satisfies FieldOption;

/** The second step of file storages, with Google's own document types. */
export const driveFields = (folders: readonly FieldOption[]): FieldSpec[] =>
  fileSelectionFields(folders, MY_DRIVE, NATIVE);
