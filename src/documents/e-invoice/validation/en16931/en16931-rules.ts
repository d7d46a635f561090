import { CII_SYNTAX_RULES } from '../syntax/cii-syntax-rules';
import { CII_TYPE_RULES } from '../syntax/cii-type-rules';
import { UBL_SYNTAX_RULES } from '../syntax/ubl-syntax-rules';
import { type BySyntax, together } from '../engine/tests';
import { CODE_RULES } from './code-rules';
import { HEADER_RULES } from './header-rules';
import { LINE_RULES } from './line-rules';
import { TOTAL_RULES } from './total-rules';
import { VAT_RULES_CII } from './vat-rules-cii';
import { SPECIAL_VAT_RULES } from './vat-rules-special';
import { VAT_RULES_UBL } from './vat-rules-ubl';

/** All rules of EN 16931 in both syntaxes. BR-CO-05 to BR-CO-08 compare reasons in words, which no program decides. */
export const EN16931_RULES: BySyntax = together([
  HEADER_RULES,
  LINE_RULES,
  TOTAL_RULES,
  { ubl: VAT_RULES_UBL, cii: VAT_RULES_CII },
  SPECIAL_VAT_RULES,
  CODE_RULES,
  { ubl: UBL_SYNTAX_RULES, cii: [...CII_SYNTAX_RULES, ...CII_TYPE_RULES] },
]);
