import type { FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [TIME_ZONE_FIELD] as const satisfies readonly FieldSpec[];
export type BoxSession = Session<FieldValues<typeof STEP1>>;

/** The root folder, which includes folders that others share with the user. */
export const ALL_FILES = '0';
