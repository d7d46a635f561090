import { SETTLEMENT } from '../en16931/groups';
import {
  type Decimal,
  dividedBy,
  hundredth,
  less,
  minus,
  plus,
  times,
  toCents,
  toDecimal,
  total,
  whole,
  ZERO,
} from '../engine/exact-decimal';
import type { InvoiceDocument } from '../engine/invoice-document';
import { decimal, decimals, exists, normalized, select, some } from '../engine/select';
import type { XmlNode } from '../engine/xml-node';

/** How much two amounts of an invoice may differ. */
export type Slack = (invoice: InvoiceDocument) => Decimal;

export const CENTS: Slack = () => toDecimal('0.02');

/** Half a forint, two cents of other currencies. */
export const CENTS_OR_HALF_FORINT: Slack = ({ root, syntax }) => {
  const currency = syntax === 'UBL' ? 'DocumentCurrencyCode' : `${SETTLEMENT}/InvoiceCurrencyCode`;
  return toDecimal(some(root, currency, 'HUF') ? '0.5' : '0.02');
};

function aboutEqual(a: Decimal | undefined, b: Decimal | undefined, most: Decimal): boolean {
  if (a === undefined || b === undefined) return false;
  return !less(plus(a, most), b) && !less(b, minus(a, most));
}

interface AllowancePaths {
  readonly amount: string;
  readonly base: string;
  readonly percent: string;
}

/** An allowance or charge is its percentage of its base. */
export function isPercentage(node: XmlNode, { amount, base, percent }: AllowancePaths, most: Decimal): boolean {
  if (!exists(node, percent) || !exists(node, base)) return true;
  return aboutEqual(decimal(node, amount) ?? ZERO, hundredth(times(decimal(node, base), decimal(node, percent))), most);
}

interface LinePaths {
  readonly net: string;
  readonly quantity: string;
  readonly price: string;
  readonly bases: readonly string[];
  readonly allowances: string;
  readonly indicator: string;
  readonly amount: string;
}

/** A line's net amount is its quantity times its price plus charges minus allowances. */
export function isLineNet(line: XmlNode, paths: LinePaths, most: Decimal): boolean {
  const price = dividedBy(decimal(line, paths.price) ?? ZERO, baseQuantity(line, paths.bases));
  const product = times(decimal(line, paths.quantity) ?? whole(1), price);
  const sum = minus(plus(product, sumOf(line, paths, 'true')), sumOf(line, paths, 'false'));
  return aboutEqual(decimal(line, paths.net) ?? ZERO, sum, most);
}

function baseQuantity(line: XmlNode, paths: readonly string[]): Decimal {
  for (const path of paths) {
    const quantity = decimal(line, path);
    if (quantity !== undefined && quantity !== ZERO) return quantity;
  }
  return whole(1);
}

function sumOf(line: XmlNode, { allowances, indicator, amount }: LinePaths, value: string): Decimal | undefined {
  const chosen = select(line, allowances).filter((each) => normalized(each, indicator) === value);
  return toCents(total(chosen.flatMap((each) => decimals(each, amount))));
}
