import { iban } from '../../e-invoice/party-values';

/** The lengths of IBANs by country (ISO 13616, SEPA and neighbors): without them a following word could pass for its end. */
const LENGTHS: Readonly<Record<string, number>> = {
  AD: 24, AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27, GB: 22, GI: 23,
  GR: 27, HR: 21, HU: 28, IE: 22, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27, MT: 31, NL: 18, NO: 15, PL: 28,
  PT: 25, RO: 24, SE: 24, SI: 19, SK: 24, SM: 27, VA: 22,
}; // prettier-ignore

/** An IBAN in a text, without spaces. */
export interface WrittenIban {
  readonly iban: string;
  readonly start: number;
}

/** The IBANs in a text whose length and check digits are right. */
export function ibansIn(text: string): WrittenIban[] {
  const starts = text.matchAll(/(?<![\p{L}\p{N}])([A-Z]{2}) ?\d{2}(?=[ A-Z\d])/gu);
  return [...starts].flatMap((match) => {
    const length = LENGTHS[match[1]!];
    const found = length && take(text.slice(match.index), length);
    const checked = found ? iban(found) : undefined;
    return checked === undefined ? [] : [{ iban: checked, start: match.index }];
  });
}

/** The first `length` letters and digits; undefined when something else than single spaces is between them, or another follows. */
function take(text: string, length: number): string | undefined {
  const found = new RegExp(`^(?:[A-Z\\d] ?){${length}}`).exec(text)?.[0];
  return found === undefined || /^[A-Z\d]/.test(text.slice(found.trimEnd().length)) ? undefined : found;
}
