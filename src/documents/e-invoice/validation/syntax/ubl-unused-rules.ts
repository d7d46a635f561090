import type { Rule } from '../engine/rule';
import { UBL_UNUSED_HEADER } from './ubl-unused-header';
import { UBL_UNUSED_LINE } from './ubl-unused-line';
import { unused } from './unused';

/** The rules for elements of UBL that EN 16931 does not use (UBL-CR, UBL-DT). */
export const UBL_UNUSED_RULES: readonly Rule[] = [
  ...unused({ syntax: 'UBL', series: 'CR', severity: 'WARNING' }, UBL_UNUSED_HEADER),
  ...unused({ syntax: 'UBL', series: 'CR', severity: 'WARNING' }, UBL_UNUSED_LINE),
];
