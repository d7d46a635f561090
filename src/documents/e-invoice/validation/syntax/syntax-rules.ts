import type { BySyntax } from '../engine/tests';
import { CII_REPEAT_RULES } from './cii-repeat-rules';
import { CII_TYPE_RULES } from './cii-type-rules';
import { CII_UNUSED_RULES } from './cii-unused-rules';
import { CII_USE_RULES } from './cii-use-rules';
import { UBL_REPEAT_RULES } from './ubl-repeat-rules';
import { UBL_UNUSED_RULES } from './ubl-unused-rules';
import { UBL_USE_RULES } from './ubl-use-rules';

/** The rules of CEN for the syntaxes (UBL-SR, UBL-DT, UBL-CR; CII-SR, CII-DT). */
export const SYNTAX_RULES: BySyntax = {
  ubl: [...UBL_REPEAT_RULES, ...UBL_USE_RULES, ...UBL_UNUSED_RULES],
  cii: [...CII_REPEAT_RULES, ...CII_USE_RULES, ...CII_UNUSED_RULES, ...CII_TYPE_RULES],
};
