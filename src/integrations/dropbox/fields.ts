import type { FieldOption, FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD, fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [TIME_ZONE_FIELD] as const satisfies readonly FieldSpec[];
export type DropboxSession = Session<FieldValues<typeof STEP1>>;

/** All that the user sees. In the API it has no id and an empty path, which no option can have. */
export const ROOT = 'root';
/** The kind of files that have no bytes until they are exported. */
export const NATIVE_KIND = 'dropbox_paper';

const NATIVE = {
  value: NATIVE_KIND,
  label: {
    en: 'Dropbox Paper and Google documents (exported)',
    de: 'Dropbox-Paper- und Google-Dokumente (exportiert)',
  },
} as const satisfies FieldOption;

/** The second step of every storage, and the documents that live in the browser beside the kinds of files. */
export const dropboxFields = (folders: readonly FieldOption[]): FieldSpec[] =>
  fileSelectionFields(folders, ROOT, NATIVE);
