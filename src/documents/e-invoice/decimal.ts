/**
 * Exact decimal numbers for amounts: a bigint that counts 10^-12. In binary floating point 0.1 + 0.2 differs from 0.3,
 * and the sums of EN 16931 are compared exactly.
 */
export type Decimal = bigint;

const PLACES = 12;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?$/;
const LONGEST = 40;
const WHOLE_DIGITS = 18;

/**
 * Parses a number in the notation of XML (`1190`, `-.5`, `+1190.00`, `1.19E3`). Undefined for everything else, such as
 * `1.190,00` or `1,190.00`, and for numbers that need more than 18 digits before or 12 after the point.
 */
export function parseDecimal(text: string | undefined): Decimal | undefined {
  const found = text !== undefined && text.length <= LONGEST ? DECIMAL.exec(text) : null;
  if (!found) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  if (whole + fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const shift = PLACES - fraction.length + Number(exponent);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  const exact = shift >= 0 || value * 10n ** BigInt(-shift) === digits;
  if (!exact || value >= 10n ** BigInt(WHOLE_DIGITS + PLACES)) return undefined;
  return sign === '-' ? -value : value;
}

/** Plain notation with at least two places and no further trailing zeros: `1190.00`, `0.005`. Nothing is rounded. */
export function formatDecimal(value: Decimal): string {
  const digits = (value < 0n ? -value : value).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${fraction}`;
}
