import type { FieldOption, FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD, fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [TIME_ZONE_FIELD] as const satisfies readonly FieldSpec[];
export type DropboxSession = Session<FieldValues<typeof STEP1>>;

/** The root folder. In the API it has no id and an empty path, which is not a valid option value. */
export const ROOT = 'root';
/** The kind of files that have no content until they are exported. */
export const NATIVE_KIND = 'dropbox_paper';

const NATIVE = {
  value: NATIVE_KIND,
  label: {
    en: 'Dropbox Paper and Google documents (exported)',
    de: 'Dropbox-Paper- und Google-Dokumente (exportiert)',
  },
} as const satisfies FieldOption;

/** The second step of file storages, with Dropbox's own document types. */
export const dropboxFields = (folders: readonly FieldOption[]): FieldSpec[] =>
  fileSelectionFields(folders, ROOT, NATIVE);
