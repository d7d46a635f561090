import {
  absolute,
  type Decimal,
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
import { decimal, decimalIn, decimals, doubleIn, doubles, exists, select, single, some } from '../engine/select';
import { calculation, fromRoot, matching, present, table, test, twoPlaces } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { CII, isVat, isVatCii, SETTLEMENT, UBL } from './groups';
import { INVOICE_CURRENCY, doubleSum } from './sums';

const ACCOUNTING_CURRENCY = `${SETTLEMENT}/TaxCurrencyCode`;

const isInCents = (node: XmlNode) => doubleIn(node) === Math.round(doubleIn(node) * 100) / 100;

/** The rules for the VAT breakdown and the total of VAT. */
export const VAT_BREAKDOWN_RULES = table([
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
  [
    'BR-CO-17',
    'BT-117',
    calculation(UBL.BREAKDOWN, 'tax_of_rate', taxOfRateUbl),
    calculation(CII.BREAKDOWN, 'tax_of_rate', taxOfRateCii),
  ],
  ['BR-DEC-13', 'BT-110', undefined, test(CII.TOTALS, 'places', taxInCents)],
  ['BR-DEC-15', 'BT-111', undefined, test(CII.TOTALS, 'places', accountingTaxInCents)],
  ['BR-DEC-19', 'BT-116', twoPlaces(UBL.BREAKDOWN, 'TaxableAmount'), twoPlaces(CII.BREAKDOWN, 'BasisAmount')],
  ['BR-DEC-20', 'BT-117', twoPlaces(UBL.BREAKDOWN, 'TaxAmount'), twoPlaces(CII.BREAKDOWN, 'CalculatedAmount')],
]);

function vatCategories(subtotal: XmlNode): XmlNode[] {
  return select(subtotal, 'TaxCategory').filter(isVat);
}

function inCurrency(amount: XmlNode, root: XmlNode, path: string): boolean {
  const currency = amount.attributes.get('currencyID');
  return currency !== undefined && some(root, path, currency);
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

function taxInCents(node: XmlNode, { root }: { root: XmlNode }): boolean {
  const taxes = select(node, 'TaxTotalAmount');
  return taxes.length === 0 || taxes.some((tax) => !inCurrency(tax, root, INVOICE_CURRENCY) || isInCents(tax));
}

function accountingTaxInCents(node: XmlNode, { root }: { root: XmlNode }): boolean {
  const taxes = select(node, 'TaxTotalAmount');
  if (taxes.length === 0 || !exists(root, ACCOUNTING_CURRENCY)) return true;
  return taxes.some((tax) => inCurrency(tax, root, ACCOUNTING_CURRENCY) && isInCents(tax));
}
