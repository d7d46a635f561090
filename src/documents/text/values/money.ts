import { type Decimal, parseDecimal } from '../../e-invoice/decimal';

/** An amount with exactly two decimals, as totals are written. */
export interface Money {
  readonly value: Decimal;
  /** ISO 4217; undefined when none is written beside it, or an ambiguous one such as `$`. */
  readonly currency?: string;
  readonly start: number;
  readonly end: number;
}

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['EURO', 'EUR'],
  ['£', 'GBP'],
  ['US$', 'USD'],
  ['SFR', 'CHF'],
]);
const CODES = 'EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|CAD|AUD|NZD|JPY|TRY|AED|SGD|HKD|ZAR';
const CURRENCY = `EURO|US\\$|[€£$]|SFR|(?:${CODES})`;
const DIGITS = `\\d{1,3}(?:(?<s>[.,'’ ])\\d{3})(?:\\k<s>\\d{3})*|\\d+`;
const AMOUNT = new RegExp(
  `(?<![\\p{L}\\d.,'’/-])(?<sign>[-–−+]|^[-–−]\\s)?(?:(?<before>${CURRENCY})\\s?)?(?<late>[-–−]\\s?)?` +
    `(?<whole>${DIGITS})(?<point>[.,])(?<cents>\\d\\d)(?<trail>[-–−](?!\\d))?(?!\\d|[.,/'’]\\d|\\s?%)` +
    `(?:\\s?(?<after>${CURRENCY})(?![\\p{L}]))?`,
  'giu',
);

/** The amounts in a text: `1.190,00 €`, `EUR 1,190.00`, `1 190,00`, `-1'190.00 CHF`; neither percentages nor dates. */
export function moneyIn(text: string): Money[] {
  return [...text.matchAll(AMOUNT)].flatMap((match) => {
    const { sign, late, trail, whole, s, point, cents, before, after } = match.groups as Record<string, string>;
    if (s === point) return [];
    const value = parseDecimal(`${whole!.replace(/\D/g, '')}.${cents}`);
    if (value === undefined) return [];
    const isNegative = /[-–−]/.test(`${sign ?? ''}${late ?? ''}${trail ?? ''}`);
    const currency = currencyOf(before) ?? currencyOf(after);
    const [start, end] = [match.index, match.index + match[0].length];
    return [{ value: isNegative ? -value : value, ...(currency && { currency }), start, end }];
  });
}

/** The currencies that a text names, as codes, unambiguous symbols or words. */
export function currenciesIn(text: string): Set<string> {
  const found = text.matchAll(new RegExp(`(?<![\\p{L}])(?:${CURRENCY})(?![\\p{L}])`, 'gu'));
  return new Set([...found].flatMap(([written]) => currencyOf(written) ?? []));
}

function currencyOf(written: string | undefined): string | undefined {
  const upper = written?.toUpperCase();
  if (upper === undefined || upper === '$') return undefined;
  return SYMBOLS.get(upper) ?? upper;
}
