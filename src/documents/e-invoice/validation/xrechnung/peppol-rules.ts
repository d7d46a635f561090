import { exists, normalized } from '../engine/select';
import {
  calculation,
  type Condition,
  matching,
  named,
  present,
  ROOT,
  type Selector,
  table,
  type Test,
  test,
} from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { CENTS_OR_HALF_FORINT, isPercentage, type Slack } from './slack';

const UBL_ALLOWANCES = matching(
  'Invoice/AllowanceCharge|CreditNote/AllowanceCharge|InvoiceLine/AllowanceCharge|CreditNoteLine/AllowanceCharge',
  ({ parent }) => !parent?.parent || !parent.parent.parent,
);
const CII_ALLOWANCES = named('SpecifiedTradeAllowanceCharge');
const UBL_PARTS = { amount: 'Amount', base: 'BaseAmount', percent: 'MultiplierFactorNumeric' };
const CII_PARTS = { amount: 'ActualAmount', base: 'BasisAmount', percent: 'CalculationPercent' };

const has = (given: string, missing: string) => (node: XmlNode) => exists(node, given) && !exists(node, missing);
/** Those with a percentage but no base, or the other way around, break a rule of their own and no further ones. */
const complete = (of: Selector, { base, percent }: typeof UBL_PARTS): Selector => {
  return (invoice) => of(invoice).filter((node) => exists(node, base) === exists(node, percent));
};
const ALLOWANCES_UBL = complete(UBL_ALLOWANCES, UBL_PARTS);
const ALLOWANCES_CII = complete(CII_ALLOWANCES, CII_PARTS);

const isBoolean =
  (path: string): Condition =>
  (node) =>
    ['true', 'false'].includes(normalized(node, path));
const INDICATOR = 'ChargeIndicator/Indicator';

const WHITE_SPACE = /^[ \t\r\n]*$/;
const leaves =
  (except?: string): Selector =>
  (invoice) =>
    invoice
      .endingWith('')
      .filter((node) => node.children.length === 0 && WHITE_SPACE.test(node.text) && node.qualifiedName !== except);
const never: Condition = () => false;

/** An allowance or charge of UBL is its percentage of its base. */
export function percentageUbl(slack: Slack): Test {
  return calculation(ALLOWANCES_UBL, 'percentage', (node, invoice) => isPercentage(node, UBL_PARTS, slack(invoice)));
}

/** The rules of Peppol BIS Billing 3 that XRechnung includes, for the document, its parties and its allowances. */
export const PEPPOL_RULES_OF_XRECHNUNG = table([
  [
    'PEPPOL-EN16931-R001',
    'BT-23',
    present(ROOT, 'ProfileID'),
    present(named('ExchangedDocumentContext'), 'BusinessProcessSpecifiedDocumentContextParameter/ID'),
  ],
  [
    'PEPPOL-EN16931-R008',
    null,
    test(leaves(), 'empty_element', never),
    test(leaves('ram:ApplicableHeaderTradeDelivery'), 'empty_element', never),
  ],
  [
    'PEPPOL-EN16931-R010',
    'BT-49',
    present(matching('AccountingCustomerParty/Party'), 'EndpointID'),
    present(named('BuyerTradeParty'), 'URIUniversalCommunication/URIID'),
  ],
  [
    'PEPPOL-EN16931-R020',
    'BT-34',
    present(matching('AccountingSupplierParty/Party'), 'EndpointID'),
    present(named('SellerTradeParty'), 'URIUniversalCommunication/URIID'),
  ],
  [
    'PEPPOL-EN16931-R040',
    null,
    percentageUbl(CENTS_OR_HALF_FORINT),
    calculation(ALLOWANCES_CII, 'percentage', (node, invoice) =>
      isPercentage(node, CII_PARTS, CENTS_OR_HALF_FORINT(invoice)),
    ),
  ],
  [
    'PEPPOL-EN16931-R041',
    null,
    test(UBL_ALLOWANCES, 'percentage_base', (node) => !has(UBL_PARTS.percent, UBL_PARTS.base)(node)),
    test(CII_ALLOWANCES, 'percentage_base', (node) => !has(CII_PARTS.percent, CII_PARTS.base)(node)),
  ],
  [
    'PEPPOL-EN16931-R042',
    null,
    test(UBL_ALLOWANCES, 'percentage_base', (node) => !has(UBL_PARTS.base, UBL_PARTS.percent)(node)),
    test(CII_ALLOWANCES, 'percentage_base', (node) => !has(CII_PARTS.base, CII_PARTS.percent)(node)),
  ],
  ['PEPPOL-EN16931-R043', null, test(ALLOWANCES_UBL, 'format_boolean', isBoolean('ChargeIndicator')), undefined],
  ['PEPPOL-EN16931-R043-1', null, undefined, test(ALLOWANCES_CII, 'format_boolean', isBoolean(INDICATOR))],
  [
    'PEPPOL-EN16931-R043-2',
    null,
    undefined,
    test(named('AppliedTradeAllowanceCharge'), 'format_boolean', isBoolean(INDICATOR)),
  ],
]);
