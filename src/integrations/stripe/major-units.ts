/** Currencies without a smaller unit at Stripe. (ISK and UGX have none in practice, but two decimal places at Stripe.) */
const WITHOUT_DIGITS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THREE_DIGITS = 'BHD JOD KWD OMR TND'.split(' ');

/** Formats an amount in a currency's smallest unit as a decimal string: 119000 eur → `1190.00`. */
export function majorUnits(amount: number, currency: string): string {
  const code = currency.toUpperCase();
  const digits = WITHOUT_DIGITS.includes(code) ? 0 : THREE_DIGITS.includes(code) ? 3 : 2;
  if (digits === 0) return String(amount);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  return `${amount < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
