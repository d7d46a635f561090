// cspell:ignore PLUSGIRO BANKGIRO GODKÄND SKATT
import { exists, normalize, normalized, select, some, text } from '../../engine/select';
import { type Condition, matching, type Selector, test, type UblRow, ublRules } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { isSwedishNumber } from '../check-digits';
import { COUNTRY, SELLER, vatSchemes } from '../countries';
import { isNumber, numberOf } from './numbers';

const isSwedish = (party: XmlNode) => some(party, COUNTRY, 'SE');
const isTaxed = (party: XmlNode) =>
  isSwedish(party) && vatSchemes(party).some((scheme) => text(scheme, 'CompanyID').startsWith('SE'));
const hasParty =
  (name: string, where: (party: XmlNode) => boolean): Condition =>
  (_node, invoice) =>
    invoice.named(name).some((each) => select(each, 'Party').some(where));
const swedishSeller = hasParty('AccountingSupplierParty', isSwedish);
const swedishBuyer = hasParty('AccountingCustomerParty', isSwedish);
const taxedSeller = hasParty('AccountingSupplierParty', isTaxed);

const vatNumber = (party: XmlNode) => {
  const [number] = vatSchemes(party).flatMap((scheme) => select(scheme, 'CompanyID'));
  return number?.text ?? '';
};
const number = (entity: XmlNode) => text(entity, 'CompanyID');
const ENTITY = matching(`${SELLER}/PartyLegalEntity`, (node) => exists(node, 'CompanyID') && isSwedish(node.parent!));
const TAXED = matching(SELLER, isTaxed);

const giro = (kind: string): Selector =>
  matching(
    'PaymentMeans/PayeeFinancialAccount/ID',
    (node, invoice) =>
      normalized(node, '../FinancialInstitutionBranch/ID') === `SE:${kind}` &&
      normalized(node, '../../PaymentMeansCode') === '30' &&
      swedishSeller(node, invoice),
  );
const digits: Condition = (node) => isNumber(normalize(node.text));
const between =
  (least: number, most: number): Condition =>
  (node) =>
    normalize(node.text).length >= least && normalize(node.text).length <= most;
const account = (id: string, kind: string, key: string, holds: Condition, values?: Record<string, string>): UblRow => [
  id,
  'BT-84',
  test(giro(kind), key, holds, values),
  'WARNING',
];
const RATES = [25, 12, 6];
const paidBy = (codes: readonly string[], where: Condition): Selector =>
  matching(
    'PaymentMeans',
    (node, invoice) =>
      codes.some((code) => some(node, 'PaymentMeansCode', code)) &&
      swedishSeller(node, invoice) &&
      where(node, invoice),
  );
const never: Condition = () => false;

/** The rules of Sweden for its sellers. */
export const SWEDISH_RULES = ublRules([
  ['SE-R-001', 'BT-31', test(TAXED, 'length', (party) => normalize(vatNumber(party)).length === 14, { length: '14' })],
  ['SE-R-002', 'BT-31', test(TAXED, 'se_vat_digits', (party) => isNumber(vatNumber(party).slice(2, 14)))],
  ['SE-R-003', 'BT-30', test(ENTITY, 'only_digits', (entity) => isNumber(number(entity)))],
  ['SE-R-004', 'BT-30', test(ENTITY, 'length', (entity) => normalize(number(entity)).length === 10, { length: '10' })],
  [
    'SE-R-005',
    'BT-32',
    test(
      matching(
        `${SELLER}/PartyTaxScheme/CompanyID`,
        (node) =>
          normalize(text(node, '../TaxScheme/ID').toUpperCase()) !== 'VAT' &&
          isSwedish(node.parent!.parent!) &&
          exists(node, '../../PartyLegalEntity/CompanyID'),
      ),
      'se_f_tax',
      (node) => normalize(node.text.toUpperCase()) === 'GODKÄND FÖR F-SKATT',
    ),
  ],
  [
    'SE-R-006',
    'BT-119',
    test(
      matching(
        'TaxCategory|ClassifiedTaxCategory',
        (node, invoice) => some(node, 'ID', 'S') && taxedSeller(node, invoice),
      ),
      'se_rates',
      (node) => RATES.includes(numberOf(text(node, 'Percent'))),
    ),
  ],
  account('SE-R-007', 'PLUSGIRO', 'only_digits', digits),
  account('SE-R-008', 'BANKGIRO', 'only_digits', digits),
  account('SE-R-009', 'BANKGIRO', 'length', between(7, 8), { length: '7–8' }),
  account('SE-R-010', 'PLUSGIRO', 'length', between(2, 8), { length: '2–8' }),
  [
    'SE-R-011',
    'BT-81',
    test(
      paidBy(['50', '56'], () => true),
      'se_giro',
      never,
    ),
    'WARNING',
  ],
  ['SE-R-012', 'BT-81', test(paidBy(['31'], swedishBuyer), 'se_transfer', never), 'WARNING'],
  ['SE-R-013', 'BT-30', test(ENTITY, 'check_digit', (entity) => isSwedishNumber(normalize(number(entity))))],
]);
