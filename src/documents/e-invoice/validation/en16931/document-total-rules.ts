import {
  type Decimal,
  decimalOf,
  doubleToCents,
  equal,
  minus,
  plus,
  toCents,
  total,
  ZERO,
} from '../engine/exact-decimal';
import { decimal, decimalIn, decimals, doubleIn, doubles, exists, isTrue, select } from '../engine/select';
import { calculation, type Condition, present, ROOT, table, twoPlaces } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { CII, SETTLEMENT, UBL } from './groups';
import { INVOICE_CURRENCY, doubleSum } from './sums';

const SUMS = `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`;

const ubl = (key: string, holds: Condition) => calculation(UBL.TOTALS, key, holds);

const cii = (key: string, holds: Condition) => calculation(CII.TOTALS, key, holds);

/** The rules for the totals of the document. */
export const DOCUMENT_TOTAL_RULES = table([
  ['BR-12', 'BT-106', present(UBL.TOTALS, 'LineExtensionAmount'), present(CII.TOTALS, 'LineTotalAmount')],
  ['BR-13', 'BT-109', present(UBL.TOTALS, 'TaxExclusiveAmount'), present(CII.TOTALS, 'TaxBasisTotalAmount')],
  ['BR-14', 'BT-112', present(UBL.TOTALS, 'TaxInclusiveAmount'), present(CII.TOTALS, 'GrandTotalAmount')],
  ['BR-15', 'BT-115', present(UBL.TOTALS, 'PayableAmount'), present(CII.TOTALS, 'DuePayableAmount')],
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
  ['BR-CO-15', 'BT-112', calculation(ROOT, 'sum_gross', grossUbl), calculation(ROOT, 'sum_gross', grossCii)],
  ['BR-CO-16', 'BT-115', ubl('sum_due', dueUbl), cii('sum_due', dueCii)],
  ['BR-DEC-09', 'BT-106', twoPlaces(UBL.TOTALS, 'LineExtensionAmount'), twoPlaces(CII.TOTALS, 'LineTotalAmount')],
  ['BR-DEC-10', 'BT-107', twoPlaces(UBL.TOTALS, 'AllowanceTotalAmount'), twoPlaces(CII.TOTALS, 'AllowanceTotalAmount')],
  ['BR-DEC-11', 'BT-108', twoPlaces(UBL.TOTALS, 'ChargeTotalAmount'), twoPlaces(CII.TOTALS, 'ChargeTotalAmount')],
  ['BR-DEC-12', 'BT-109', twoPlaces(UBL.TOTALS, 'TaxExclusiveAmount'), twoPlaces(CII.TOTALS, 'TaxBasisTotalAmount')],
  ['BR-DEC-14', 'BT-112', twoPlaces(UBL.TOTALS, 'TaxInclusiveAmount'), twoPlaces(CII.TOTALS, 'GrandTotalAmount')],
  ['BR-DEC-16', 'BT-113', twoPlaces(UBL.TOTALS, 'PrepaidAmount'), twoPlaces(CII.TOTALS, 'TotalPrepaidAmount')],
  ['BR-DEC-17', 'BT-114', twoPlaces(UBL.TOTALS, 'PayableRoundingAmount'), twoPlaces(CII.TOTALS, 'RoundingAmount')],
  ['BR-DEC-18', 'BT-115', twoPlaces(UBL.TOTALS, 'PayableAmount'), twoPlaces(CII.TOTALS, 'DuePayableAmount')],
]);

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
