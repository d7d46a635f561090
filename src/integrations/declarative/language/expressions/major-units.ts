/** Currencies without a smaller unit in payment interfaces. (ISK and UGX have none in practice, but are sent with two decimal places.) */
const WITHOUT_DIGITS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THREE_DIGITS = 'BHD JOD KWD OMR TND'.split(' ');

/** Whether amounts in a currency have no decimal places. */
export const hasNoDigits = (currency: string | undefined): boolean => WITHOUT_DIGITS.includes(currency ?? '');

/** Formats an amount in a currency's smallest unit as a decimal string: 119000 eur → `1190.00`. Undefined for a fraction of it. */
export function majorUnits(amount: number, currency: string): string | undefined {
  if (!Number.isSafeInteger(amount)) return undefined;
  const code = currency.toUpperCase();
  const digits = WITHOUT_DIGITS.includes(code) ? 0 : THREE_DIGITS.includes(code) ? 3 : 2;
  if (digits === 0) return String(amount);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  return `${amount < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
