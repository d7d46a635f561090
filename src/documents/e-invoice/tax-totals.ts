import { parseDecimal } from './decimal';
import type { XmlElement } from './xml/xml';

/**
 * The tax totals of an invoice that represent BT-110, the tax in the invoice's currency; BT-111 is in the currency of the tax
 * authority. A total without a currency is in the invoice's currency if no other is. Several equal amounts are duplicates; if
 * several differ, it is unknown which is right, and none is used.
 */
export function ownTaxTotals(
  totals: readonly XmlElement[],
  amountOf: (total: XmlElement) => XmlElement | undefined,
  currency: string | undefined,
): readonly XmlElement[] {
  const having = (code: string | undefined) =>
    totals.filter((each) => amountOf(each) && amountOf(each)?.attribute('currencyID') === code);
  const stated = having(currency);
  const own = stated.length > 0 ? stated : having(undefined);
  const amounts = new Set(own.map((each) => amountOf(each)?.text()).map((text) => parseDecimal(text) ?? text));
  return amounts.size === 1 ? own : [];
}
