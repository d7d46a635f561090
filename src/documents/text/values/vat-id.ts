/** Checks of VAT identification numbers by country; `digits` are the characters after the country code. */
type Check = (digits: string) => boolean;

const numbers = (text: string): number[] => [...text].map(Number);

/** The sum of digits multiplied by weights; further digits are ignored. */
const weighted = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(text[at]), 0);

const descending = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from - at);

function luhn(text: string): boolean {
  const sum = numbers(text)
    .reverse()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

/** ISO 7064, MOD 11,10. */
function mod1110(text: string): boolean {
  const product = numbers(text.slice(0, -1)).reduce((carry, digit) => {
    const sum = (carry + digit) % 10 || 10;
    return (2 * sum) % 11;
  }, 10);
  return (11 - product) % 10 === Number(text.at(-1));
}

/** MOD 97-10 over the whole number with its country code, as for IBANs. */
function mod97(text: string): boolean {
  const digits = text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

function mod11(digits: string, weights: readonly number[], over: (rest: number) => number): boolean {
  return over(11 - (weighted(digits, weights) % 11)) === Number(digits.at(weights.length));
}

const austria: Check = (digits) => {
  const sum = numbers(digits.slice(1, 8)).reduce((total, digit, at) => {
    const value = at % 2 === 0 ? digit : digit * 2;
    return total + Math.floor(value / 10) + (value % 10);
  }, 4);
  return (10 - (sum % 10)) % 10 === Number(digits[8]);
};

const britain: Check = (digits) => {
  const sum = weighted(digits, descending(8, 7)) + Number(digits.slice(7, 9));
  return sum % 97 === 0 || (sum + 55) % 97 === 0;
};

const spain: Check = (digits) => {
  if (/^\d{8}[A-Z]$/.test(digits)) return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits.slice(0, 8)) % 23] === digits[8];
  const sum = numbers(digits.slice(1, 8)).reduce((total, digit, at) => {
    const value = at % 2 === 0 ? digit * 2 : digit;
    return total + Math.floor(value / 10) + (value % 10);
  }, 0);
  const control = (10 - (sum % 10)) % 10;
  return digits[8] === String(control) || digits[8] === 'JABCDEFGHI'[control];
};

const ireland: Check = (digits) => {
  const second = digits[8] ? digits.charCodeAt(8) - 64 : 0;
  return 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(digits, descending(8, 7)) + 9 * second) % 23] === digits[7];
};

const elevenIsZero = (rest: number): number => rest % 11;
const overNineIsZero = (rest: number): number => (rest > 9 ? 0 : rest);

/** The form of a number after its country code, and its check. A country that is missing here has no numbers that are proven. */
const COUNTRIES: Readonly<Record<string, readonly [form: string, check: Check]>> = {
  AT: ['U\\d{8}', austria],
  BE: ['[01]\\d{9}', (digits) => 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8))],
  CHE: ['\\d{9}', (digits) => mod11(digits, [5, 4, 3, 2, 7, 6, 5, 4], elevenIsZero)],
  DE: ['[1-9]\\d{8}', mod1110],
  DK: ['\\d{8}', (digits) => weighted(digits, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
  ES: ['(?:\\d{8}[A-Z]|[A-HJ-NP-SUVW]\\d{7}[\\dA-J])', spain],
  FI: ['\\d{8}', (digits) => mod11(digits, [7, 9, 10, 5, 8, 4, 2], elevenIsZero)],
  FR: ['\\d{11}', (d) => (12 + 3 * (Number(d.slice(2)) % 97)) % 97 === Number(d.slice(0, 2)) && luhn(d.slice(2))],
  GB: ['\\d{9}', britain],
  IE: ['\\d{7}[A-W][A-I]?', ireland],
  IT: ['\\d{11}', luhn],
  LU: ['\\d{8}', (digits) => Number(digits.slice(0, 6)) % 89 === Number(digits.slice(6))],
  NL: ['\\d{9}B\\d{2}', (d) => mod97(`NL${d}`) || weighted(d, descending(9, 8)) % 11 === Number(d[8])],
  PL: ['\\d{10}', (digits) => weighted(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(digits[9])],
  PT: ['\\d{9}', (digits) => mod11(digits, descending(9, 8), overNineIsZero)],
  SE: ['\\d{10}01', (digits) => luhn(digits.slice(0, 10))],
};

/** The same forms with the spaces, dots and hyphens that are written between the characters. */
const WRITTEN = Object.entries(COUNTRIES).map(
  ([country, [form, check]]) => [country, new RegExp(`^${country}${form}$`), check] as const,
);
const START = new RegExp(`(?<![\\p{L}\\p{N}])(?:${Object.keys(COUNTRIES).join('|')})[ .-]?(?=[\\dA-Z])`, 'gu');
const LONGEST = 24;

/** A VAT identification number in a text, without spaces and punctuation. */
export interface WrittenVatId {
  readonly id: string;
  readonly start: number;
}

/** The VAT identification numbers in a text whose form and check digits are right. */
export function vatIdsIn(text: string): WrittenVatId[] {
  return [...text.matchAll(START)].flatMap(({ index }) => {
    const id = vatIdAt(text.slice(index, index + LONGEST));
    return id === undefined ? [] : [{ id, start: index }];
  });
}

/** The longest beginning of the text that is a number, so that one digit too many is not cut off. */
function vatIdAt(text: string): string | undefined {
  const end = /^[A-Z]{2,3}[ .-]?[A-Z\d]+(?:[ .-][A-Z\d]+)*/.exec(text)?.[0] ?? '';
  const parts = end.split(/(?<=[ .-])/);
  for (let count = parts.length; count > 0; count--) {
    const compact = parts.slice(0, count).join('').replace(/[ .-]/g, '');
    for (const [country, form, check] of WRITTEN)
      if (form.test(compact) && check(compact.slice(country.length))) return compact;
  }
  return undefined;
}
