import { type BySyntax, together } from '../engine/tests';
import { SYNTAX_RULES } from '../syntax/syntax-rules';
import { IDENTIFIER_CODE_RULES } from './codes-of-identifiers';
import { VALUE_CODE_RULES } from './codes-of-values';
import { DOCUMENT_RULES } from './document-rules';
import { DOCUMENT_TOTAL_RULES } from './document-total-rules';
import { LINE_RULES } from './line-rules';
import { PARTY_RULES } from './party-rules';
import { PAYMENT_RULES } from './payment-rules';
import { VAT_BREAKDOWN_RULES } from './vat-breakdown-rules';
import { VAT_RULES_CII } from './vat/vat-rules-cii';
import { SPECIAL_VAT_RULES } from './vat/vat-rules-special';
import { VAT_RULES_UBL } from './vat/vat-rules-ubl';

/** All rules of EN 16931 in both syntaxes. BR-CO-05 to BR-CO-08 compare reasons in words, which no program decides. */
export const EN16931_RULES: BySyntax = together([
  DOCUMENT_RULES,
  PARTY_RULES,
  PAYMENT_RULES,
  LINE_RULES,
  DOCUMENT_TOTAL_RULES,
  VAT_BREAKDOWN_RULES,
  { ubl: VAT_RULES_UBL, cii: VAT_RULES_CII },
  SPECIAL_VAT_RULES,
  IDENTIFIER_CODE_RULES,
  VALUE_CODE_RULES,
  SYNTAX_RULES,
]);
