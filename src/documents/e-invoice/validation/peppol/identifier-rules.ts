import type { Severity } from '../engine/rule';
import { normalize } from '../engine/select';
import { matching, type Selector, test, type UblRow, ublRules } from '../engine/tests';
import {
  isAustralianNumber,
  isBelgianNumber,
  isDanishNumber,
  isGln,
  isItalianOffice,
  isItalianTaxCode,
  isItalianVatNumber,
  isNorwegianNumber,
  isSwedishNumber,
} from './check-digits';

const ofScheme = (pattern: string, scheme: string): Selector =>
  matching(pattern, (node) => node.attributes.get('schemeID') === scheme);
const IDENTIFIERS = 'EndpointID|PartyIdentification/ID|CompanyID';

function row(
  number: string,
  scheme: string,
  check: (text: string) => boolean,
  severity: Severity = 'FATAL',
  pattern = IDENTIFIERS,
): UblRow {
  return [
    `PEPPOL-COMMON-R${number}`,
    null,
    test(ofScheme(pattern, scheme), 'identifier', (node) => check(normalize(node.text)), { scheme }),
    severity,
  ];
}

/** The rules of Peppol for identifiers whose schemes have a form or check digits. */
export const PEPPOL_IDENTIFIER_RULES = ublRules([
  row('040', '0088', isGln),
  row('041', '0192', isNorwegianNumber),
  [
    'PEPPOL-COMMON-R042',
    null,
    test(ofScheme(IDENTIFIERS, '0184'), 'identifier', ({ text }) => isDanishNumber(text), { scheme: '0184' }),
  ],
  row('043', '0208', isBelgianNumber),
  row('044', '0201', isItalianOffice, 'WARNING'),
  row('045', '0210', isItalianTaxCode, 'WARNING'),
  row('046', '9907', isItalianTaxCode, 'WARNING', 'EndpointID'),
  row('047', '0211', isItalianVatNumber, 'WARNING'),
  row('049', '0007', (text) => text.length === 10 && isSwedishNumber(text)),
  row('050', '0151', isAustralianNumber),
]);
