import { EN16931_RULES } from '../en16931/en16931-rules';
import type { Rule } from '../engine/rule';
import { PEPPOL_LINE_RULES } from '../xrechnung/peppol-line-rules';
import { PEPPOL_RULES_OF_XRECHNUNG } from '../xrechnung/peppol-rules';
import { VAT_TOTAL_RULES } from '../xrechnung/vat-total-rules';
import { PEPPOL_CODE_RULES } from './code-rules';
import { PEPPOL_DOCUMENT_RULES } from './document-rules';
import { PEPPOL_IDENTIFIER_RULES } from './identifier-rules';
import { DANISH_PAYMENT_RULES } from './national/danish-payment-rules';
import { DANISH_RULES } from './national/danish-rules';
import { DUTCH_RULES } from './national/dutch-rules';
import { GERMAN_RULES } from './national/german-rules';
import { GREEK_NUMBER_RULES } from './national/greek-number';
import { GREEK_RULES } from './national/greek-rules';
import { ICELANDIC_RULES } from './national/icelandic-rules';
import { ITALIAN_RULES, NORWEGIAN_RULES } from './national/norway-italy-rules';
import { SWEDISH_RULES } from './national/swedish-rules';

const own = [...PEPPOL_DOCUMENT_RULES, ...PEPPOL_IDENTIFIER_RULES, ...PEPPOL_CODE_RULES];
const replaced = new Set(own.map(({ id }) => id));
/** Those that XRechnung has too; Peppol gives no warnings. */
const shared = [...PEPPOL_RULES_OF_XRECHNUNG.ubl, ...PEPPOL_LINE_RULES.ubl, ...VAT_TOTAL_RULES.ubl]
  .filter(({ id }) => !replaced.has(id))
  .map((rule): Rule => ({ ...rule, severity: 'FATAL' }));

/** The rules of Peppol BIS Billing 3 for UBL, also those of single countries, with those of EN 16931. */
export const PEPPOL_RULES: readonly Rule[] = [
  ...EN16931_RULES.ubl,
  ...shared,
  ...own,
  ...NORWEGIAN_RULES,
  ...DANISH_RULES,
  ...DANISH_PAYMENT_RULES,
  ...ITALIAN_RULES,
  ...SWEDISH_RULES,
  ...GREEK_NUMBER_RULES,
  ...GREEK_RULES,
  ...ICELANDIC_RULES,
  ...DUTCH_RULES,
  ...GERMAN_RULES,
];
