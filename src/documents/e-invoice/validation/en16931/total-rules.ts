import {
  absolute,
  type Decimal,
  decimalOf,
  doubleToCents,
  equal,
  hundredth,
  less,
  minus,
  plus,
  times,
  toCents,
  total,
  toUnits,
  whole,
  ZERO,
} from '../engine/exact-decimal';
import {
  decimal,
  decimalIn,
  decimals,
  doubleIn,
  doubles,
  exists,
  isTrue,
  select,
  single,
  some,
} from '../engine/select';
import {
  calculation,
  type Condition,
  fromRoot,
  matching,
  present,
  ROOT,
  table,
  test,
  twoPlaces,
} from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { CII, isVat, isVatCii, SETTLEMENT, UBL } from './groups';

const INVOICE_CURRENCY = `${SETTLEMENT}/InvoiceCurrencyCode`;
const ACCOUNTING_CURRENCY = `${SETTLEMENT}/TaxCurrencyCode`;
const SUMS = `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`;

const ubl = (key: string, holds: Condition) => calculation(UBL.TOTALS, key, holds);
const cii = (key: string, holds: Condition) => calculation(CII.TOTALS, key, holds);

/** The rules for totals and the VAT breakdown. */
export const TOTAL_RULES = table([
  ['BR-12', 'BT-106', present(UBL.TOTALS, 'LineExtensionAmount'), present(CII.TOTALS, 'LineTotalAmount')],
  ['BR-13', 'BT-109', present(UBL.TOTALS, 'TaxExclusiveAmount'), present(CII.TOTALS, 'TaxBasisTotalAmount')],
  ['BR-14', 'BT-112', present(UBL.TOTALS, 'TaxInclusiveAmount'), present(CII.TOTALS, 'GrandTotalAmount')],
  ['BR-15', 'BT-115', present(UBL.TOTALS, 'PayableAmount'), present(CII.TOTALS, 'DuePayableAmount')],
  ['BR-45', 'BT-116', present(UBL.BREAKDOWN, 'TaxableAmount'), present(CII.BREAKDOWN, 'BasisAmount')],
  ['BR-46', 'BT-117', present(UBL.BREAKDOWN, 'TaxAmount'), present(CII.BREAKDOWN, 'CalculatedAmount')],
  [
    'BR-47',
    'BT-118',
    test(UBL.BREAKDOWN, 'missing', (node) => vatCategories(node).some((category) => exists(category, 'ID'))),
    test(CII.BREAKDOWN, 'missing', (node) => isVatCii(node) && exists(node, 'CategoryCode')),
  ],
  [
    'BR-48',
    'BT-119',
    test(UBL.BREAKDOWN, 'missing', (node) =>
      vatCategories(node).some((category) => exists(category, 'Percent') || some(category, 'ID', 'O')),
    ),
    test(
      CII.BREAKDOWN,
      'missing',
      (node) => isVatCii(node) && (exists(node, 'RateApplicablePercent') || some(node, 'CategoryCode', 'O')),
    ),
  ],
  ['BR-CO-10', 'BT-106', ubl('sum_lines', sumOfLinesUbl), cii('sum_lines', sumOfLinesCii)],
  [
    'BR-CO-11',
    'BT-107',
    ubl('sum_allowances', levelSumUbl('AllowanceTotalAmount', false)),
    cii('sum_allowances', levelSumCii('AllowanceTotalAmount', false)),
  ],
  [
    'BR-CO-12',
    'BT-108',
    ubl('sum_charges', levelSumUbl('ChargeTotalAmount', true)),
    cii('sum_charges', levelSumCii('ChargeTotalAmount', true)),
  ],
  ['BR-CO-13', 'BT-109', ubl('sum_net', netUbl), cii('sum_net', netCii)],
  [
    'BR-CO-14',
    'BT-110',
    calculation(
      fromRoot('TaxTotal'),
      'sum_tax',
      (node) =>
        !exists(node, 'TaxSubtotal') ||
        equal(decimal(node, 'TaxAmount'), toCents(total(decimals(node, 'TaxSubtotal/TaxAmount')))),
    ),
    calculation(
      matching('SpecifiedTradeSettlementHeaderMonetarySummation/TaxTotalAmount', (node, { root }) =>
        inCurrency(node, root, INVOICE_CURRENCY),
      ),
      'sum_tax',
      (node, { root }) =>
        doubleIn(node) === doubleToCents(doubleSum(doubles(root, `${SETTLEMENT}/ApplicableTradeTax/CalculatedAmount`))),
    ),
  ],
  ['BR-CO-15', 'BT-112', calculation(ROOT, 'sum_gross', grossUbl), calculation(ROOT, 'sum_gross', grossCii)],
  ['BR-CO-16', 'BT-115', ubl('sum_due', dueUbl), cii('sum_due', dueCii)],
  [
    'BR-CO-17',
    'BT-117',
    calculation(UBL.BREAKDOWN, 'tax_of_rate', taxOfRateUbl),
    calculation(CII.BREAKDOWN, 'tax_of_rate', taxOfRateCii),
  ],
  ['BR-DEC-09', 'BT-106', twoPlaces(UBL.TOTALS, 'LineExtensionAmount'), twoPlaces(CII.TOTALS, 'LineTotalAmount')],
  ['BR-DEC-10', 'BT-107', twoPlaces(UBL.TOTALS, 'AllowanceTotalAmount'), twoPlaces(CII.TOTALS, 'AllowanceTotalAmount')],
  ['BR-DEC-11', 'BT-108', twoPlaces(UBL.TOTALS, 'ChargeTotalAmount'), twoPlaces(CII.TOTALS, 'ChargeTotalAmount')],
  ['BR-DEC-12', 'BT-109', twoPlaces(UBL.TOTALS, 'TaxExclusiveAmount'), twoPlaces(CII.TOTALS, 'TaxBasisTotalAmount')],
  ['BR-DEC-13', 'BT-110', undefined, test(CII.TOTALS, 'places', taxInCents)],
  ['BR-DEC-14', 'BT-112', twoPlaces(UBL.TOTALS, 'TaxInclusiveAmount'), twoPlaces(CII.TOTALS, 'GrandTotalAmount')],
  ['BR-DEC-15', 'BT-111', undefined, test(CII.TOTALS, 'places', accountingTaxInCents)],
  ['BR-DEC-16', 'BT-113', twoPlaces(UBL.TOTALS, 'PrepaidAmount'), twoPlaces(CII.TOTALS, 'TotalPrepaidAmount')],
  ['BR-DEC-17', 'BT-114', twoPlaces(UBL.TOTALS, 'PayableRoundingAmount'), twoPlaces(CII.TOTALS, 'RoundingAmount')],
  ['BR-DEC-18', 'BT-115', twoPlaces(UBL.TOTALS, 'PayableAmount'), twoPlaces(CII.TOTALS, 'DuePayableAmount')],
  ['BR-DEC-19', 'BT-116', twoPlaces(UBL.BREAKDOWN, 'TaxableAmount'), twoPlaces(CII.BREAKDOWN, 'BasisAmount')],
  ['BR-DEC-20', 'BT-117', twoPlaces(UBL.BREAKDOWN, 'TaxAmount'), twoPlaces(CII.BREAKDOWN, 'CalculatedAmount')],
]);

function vatCategories(subtotal: XmlNode): XmlNode[] {
  return select(subtotal, 'TaxCategory').filter(isVat);
}

function doubleSum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function inCurrency(amount: XmlNode, root: XmlNode, path: string): boolean {
  const currency = amount.attributes.get('currencyID');
  return currency !== undefined && some(root, path, currency);
}

function sumOfLinesUbl(node: XmlNode, invoice: Parameters<Condition>[1]): boolean {
  const sum = invoice.once('sum of lines', () =>
    total(UBL.LINE(invoice).flatMap((line) => decimals(line, 'LineExtensionAmount'))),
  );
  return equal(decimal(node, 'LineExtensionAmount'), toCents(sum));
}

/** The artifact sums the lines of CII as `xs:double`. */
function sumOfLinesCii(node: XmlNode): boolean {
  const lines =
    '../../IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount';
  return equal(decimal(node, 'LineTotalAmount'), toCents(decimalOf(doubleSum(doubles(node, lines)))));
}

function levelSumUbl(stated: string, charge: boolean): Condition {
  return (node) => {
    const parts = select(node, '../AllowanceCharge').filter((each) => isTrue(each, 'ChargeIndicator', charge));
    if (!exists(node, stated)) return parts.length === 0;
    return equal(decimal(node, stated), toCents(total(parts.flatMap((each) => decimals(each, 'Amount')))));
  };
}

function levelSumCii(stated: string, charge: boolean): Condition {
  return (node, { root }) => {
    const all = select(root, `${SETTLEMENT}/SpecifiedTradeAllowanceCharge`);
    const parts = all.filter((each) => isTrue(each, 'ChargeIndicator/Indicator', charge));
    if (!exists(node, stated)) return parts.length === 0;
    const sum = doubleToCents(
      doubleSum(parts.flatMap((each) => select(each, 'ActualAmount').slice(0, 1).map(doubleIn))),
    );
    return doubles(node, stated).includes(sum);
  };
}

/** An absent amount counts as zero where the rule has a case without it. */
function orZero(node: XmlNode, path: string): Decimal | undefined {
  return exists(node, path) ? decimal(node, path) : ZERO;
}

function netUbl(node: XmlNode): boolean {
  const lines = decimal(node, 'LineExtensionAmount');
  const sum = minus(plus(lines, orZero(node, 'ChargeTotalAmount')), orZero(node, 'AllowanceTotalAmount'));
  const rounded = exists(node, 'ChargeTotalAmount|AllowanceTotalAmount') ? toCents(sum) : sum;
  return equal(decimal(node, 'TaxExclusiveAmount'), rounded);
}

function first(node: XmlNode, path: string): Decimal | undefined {
  const [found] = select(node, path);
  return found && decimalIn(found);
}

function firstOrZero(node: XmlNode, path: string): Decimal | undefined {
  return first(node, path) ?? ZERO;
}

function netCii(node: XmlNode): boolean {
  const lines = first(node, 'LineTotalAmount');
  const sum = plus(minus(lines, firstOrZero(node, 'AllowanceTotalAmount')), firstOrZero(node, 'ChargeTotalAmount'));
  return equal(first(node, 'TaxBasisTotalAmount'), toCents(sum));
}

function grossUbl(root: XmlNode): boolean {
  return select(root, 'DocumentCurrencyCode').every(({ text }) => {
    const taxes = select(root, 'TaxTotal/TaxAmount').filter((tax) => tax.attributes.get('currencyID') === text);
    if (taxes.length !== 1) return false;
    const net = decimal(root, 'LegalMonetaryTotal/TaxExclusiveAmount');
    return equal(decimal(root, 'LegalMonetaryTotal/TaxInclusiveAmount'), toCents(plus(net, decimalIn(taxes[0]!))));
  });
}

function grossCii(root: XmlNode): boolean {
  return select(root, INVOICE_CURRENCY).every(({ text }) => {
    const taxes = select(root, `${SUMS}/TaxTotalAmount`).filter((tax) => tax.attributes.get('currencyID') === text);
    const gross = first(root, `${SUMS}/GrandTotalAmount`);
    const net = first(root, `${SUMS}/TaxBasisTotalAmount`);
    return (taxes.length === 1 && equal(gross, toCents(plus(net, decimalIn(taxes[0]!))))) || equal(gross, net);
  });
}

function dueUbl(node: XmlNode): boolean {
  const prepaid = exists(node, 'PrepaidAmount');
  const rounding = exists(node, 'PayableRoundingAmount');
  const payable = minus(decimal(node, 'PayableAmount'), orZero(node, 'PayableRoundingAmount'));
  const open = minus(decimal(node, 'TaxInclusiveAmount'), orZero(node, 'PrepaidAmount'));
  return equal(rounding ? toCents(payable) : payable, prepaid ? toCents(open) : open);
}

function dueCii(node: XmlNode): boolean {
  const open = minus(first(node, 'GrandTotalAmount'), firstOrZero(node, 'TotalPrepaidAmount'));
  return equal(first(node, 'DuePayableAmount'), plus(open, firstOrZero(node, 'RoundingAmount')));
}

/** The tax may differ from taxable amount times rate by less than one unit of the currency. */
function isTaxOfRate(
  tax: Decimal | undefined,
  basis: Decimal | undefined,
  rate: Decimal | undefined,
  including: boolean,
): boolean {
  const rounded = toUnits(rate);
  if (rounded === undefined || rounded === ZERO) return equal(toUnits(tax), ZERO);
  const expected = toCents(times(absolute(basis), hundredth(rate)));
  const stated = absolute(tax);
  const below = minus(stated, whole(1));
  const above = plus(stated, whole(1));
  const within = less(below, expected) && less(expected, above);
  return within || (including && (equal(below, expected) || equal(above, expected)));
}

function taxOfRateUbl(node: XmlNode): boolean {
  const rate = single(vatCategories(node).flatMap((category) => select(category, 'Percent')));
  return isTaxOfRate(decimal(node, 'TaxAmount'), decimal(node, 'TaxableAmount'), rate && decimalIn(rate), false);
}

function taxOfRateCii(node: XmlNode): boolean {
  const rate = isVatCii(node) ? decimal(node, 'RateApplicablePercent') : undefined;
  return isTaxOfRate(decimal(node, 'CalculatedAmount'), decimal(node, 'BasisAmount'), rate, true);
}

const isInCents = (node: XmlNode) => doubleIn(node) === Math.round(doubleIn(node) * 100) / 100;

function taxInCents(node: XmlNode, { root }: { root: XmlNode }): boolean {
  const taxes = select(node, 'TaxTotalAmount');
  return taxes.length === 0 || taxes.some((tax) => !inCurrency(tax, root, INVOICE_CURRENCY) || isInCents(tax));
}

function accountingTaxInCents(node: XmlNode, { root }: { root: XmlNode }): boolean {
  const taxes = select(node, 'TaxTotalAmount');
  if (taxes.length === 0 || !exists(root, ACCOUNTING_CURRENCY)) return true;
  return taxes.some((tax) => inCurrency(tax, root, ACCOUNTING_CURRENCY) && isInCents(tax));
}
