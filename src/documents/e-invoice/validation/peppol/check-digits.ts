/** Checks of identifiers by their form and their check digits, by the code of their scheme in ISO/IEC 6523. */

const digitsOf = (text: string) => [...text].map(Number);

function weighted(digits: readonly number[], weightAt: (index: number) => number): number {
  return digits.reduce((sum, digit, index) => sum + digit * weightAt(index), 0);
}

/** The digits before the check digit, from the last to the first. */
const reversed = (digits: readonly number[]) => digits.slice(0, -1).reverse();

/** 0088: a GLN of GS1. */
export function isGln(text: string): boolean {
  if (!/^[0-9]+$/.test(text)) return false;
  const digits = digitsOf(text);
  const sum = weighted(reversed(digits), (index) => (index % 2 === 0 ? 3 : 1));
  return (10 - (sum % 10)) % 10 === digits.at(-1);
}

/** 0192: a Norwegian organization number. */
export function isNorwegianNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || Number(text) === 0) return false;
  const digits = digitsOf(text);
  const sum = weighted(reversed(digits), (index) => (index % 6) + 2);
  return (11 - (sum % 11)) % 11 === digits.at(-1);
}

/** 0184: a Danish CVR number. */
export function isDanishNumber(text: string): boolean {
  return /^(?:DK)?[0-9]{8}$/.test(text);
}

/** 0208: a Belgian enterprise number. */
export function isBelgianNumber(text: string): boolean {
  return /^[0-9]{10}$/.test(text) && 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8));
}

/** 0151: an Australian business number. */
export function isAustralianNumber(text: string): boolean {
  if (!/^[0-9]{11}$/.test(text)) return false;
  const [first = 0, ...others] = digitsOf(text);
  return ((first - 1) * 10 + weighted(others, (index) => 2 * index + 1)) % 89 === 0;
}

/** The check of Luhn: every second digit from the right is doubled. */
function isLuhn(digits: readonly number[]): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether the first ten digits are a Swedish organization number. */
export function isSwedishNumber(text: string): boolean {
  return /^[0-9]{10,}$/.test(text) && isLuhn(digitsOf(text.slice(0, 10)));
}

/** 0201: the code of an Italian office. */
export function isItalianOffice(text: string): boolean {
  return /^[A-Za-z0-9]{6}$/.test(text);
}

const PERSON = /^[A-Za-z]{6}(?:[0-9]{2}|[+-][0-9])[A-Za-z](?:[0-9]{2}|[+-][0-9])[^]{3}[0-9][A-Za-z]$/;

/** 0210 and 9907: an Italian tax code of a person or of a company. */
export function isItalianTaxCode(text: string): boolean {
  return PERSON.test(text) || /^(?:[0-9]{11}|[+-][0-9]{10})$/.test(text);
}

/** 0211: a VAT number; Italian ones have a check digit. */
export function isItalianVatNumber(text: string): boolean {
  if (!/^(?:IT|it)/.test(text)) return true;
  const number = text.slice(2);
  return /^[0-9]{11}$/.test(number) && isLuhn(digitsOf(number));
}

/** Whether the first nine characters are a Greek tax number. */
export function isGreekNumber(text: string): boolean {
  if (!/^[0-9]{9}/.test(text)) return false;
  const digits = digitsOf(text.slice(0, 9));
  const sum = weighted(reversed(digits), (index) => 2 ** (index + 1));
  return (sum % 11) % 10 === digits.at(-1);
}
