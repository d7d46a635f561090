import { EN16931_RULES } from '../en16931/en16931-rules';
import type { Rule, Severity } from '../engine/rule';
import { type BySyntax, together } from '../engine/tests';
import { CLEAN_VEHICLE_RULES } from './clean-vehicle-rules';
import { EXTENSION_RULES } from './extension-rules';
import { GERMAN_HEADER_RULES } from './header-rules';
import { GERMAN_PAYMENT_RULES } from './payment-rules';
import { PEPPOL_LINE_RULES } from './peppol-line-rules';
import { PEPPOL_RULES_OF_XRECHNUNG } from './peppol-rules';
import { CIUS, CLEAN_VEHICLES, EXTENSION } from './specifications';
import { VAT_TOTAL_RULES } from './vat-total-rules';

/** Severities that XRechnung changes in the rules of EN 16931; `undefined` when a rule does not apply. */
type Severities = Readonly<Record<string, Severity | undefined>>;

const CODE_LISTS: Severities = { 'BR-CL-21': 'WARNING', 'BR-CL-23': 'WARNING' };
/** References to several contracts, orders or projects. */
const SINGLE_REFERENCES: Severities = { 'CII-SR-452': 'FATAL', 'CII-SR-453': 'FATAL', 'CII-SR-454': 'FATAL' };
const NO_SUB_LINES: Severities = { 'UBL-CR-646': 'FATAL' };
/** What the extension allows: schemes and attachments of its own, sub lines, payments by others. */
const EXTENDED: Severities = {
  ...SINGLE_REFERENCES,
  'BR-CL-10': undefined,
  'BR-CL-11': undefined,
  'BR-CL-21': undefined,
  'BR-CL-23': 'WARNING',
  'BR-CL-24': undefined,
  'BR-CL-25': undefined,
  'BR-CL-26': undefined,
};
const EXTENDED_UBL: Severities = {
  ...EXTENDED,
  'BR-CO-16': undefined,
  'UBL-CR-470': undefined,
  'UBL-CR-646': undefined,
};

const NATIONAL: BySyntax = together([
  GERMAN_HEADER_RULES,
  GERMAN_PAYMENT_RULES,
  PEPPOL_RULES_OF_XRECHNUNG,
  PEPPOL_LINE_RULES,
  VAT_TOTAL_RULES,
]);

function changed(rules: readonly Rule[], severities: Severities): Rule[] {
  return rules.flatMap((rule) => {
    if (!(rule.id in severities)) return [rule];
    const severity = severities[rule.id];
    return severity ? [{ ...rule, severity }] : [];
  });
}

function ruleSet(ubl: Severities, cii: Severities, further: readonly BySyntax[] = []): BySyntax {
  const own = together([NATIONAL, ...further]);
  return {
    ubl: [...changed(EN16931_RULES.ubl, ubl), ...own.ubl],
    cii: [...changed(EN16931_RULES.cii, cii), ...own.cii],
  };
}

/** The rules of XRechnung 3.0 by specification identifier (BT-24), with those of EN 16931. */
export const XRECHNUNG_RULES: ReadonlyMap<string, BySyntax> = new Map([
  [CIUS, ruleSet({ ...CODE_LISTS, ...NO_SUB_LINES }, { ...CODE_LISTS, ...SINGLE_REFERENCES })],
  [EXTENSION, ruleSet(EXTENDED_UBL, EXTENDED, [EXTENSION_RULES])],
  [
    CLEAN_VEHICLES,
    ruleSet(
      { ...CODE_LISTS, ...NO_SUB_LINES, 'BR-CL-13': undefined },
      { ...CODE_LISTS, ...SINGLE_REFERENCES, 'BR-CL-13': undefined },
      [CLEAN_VEHICLE_RULES],
    ),
  ],
]);
