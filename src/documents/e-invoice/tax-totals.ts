import { parseDecimal } from './decimal';
import type { XmlElement } from './xml/xml';

/**
 * Of all tax totals of an invoice those that say BT-110, the tax in the invoice's currency; BT-111 is in that of the tax
 * authority. One that names no currency is in the invoice's own where no other is. Several that say the same amount are one
 * that was written twice; of several that differ nobody knows which is right, so none is taken.
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
