const IBAN = /^([A-Z]{2})(\d{2})([A-Z0-9]{10,30})$/;

/** The text as an IBAN of the same country with another account and valid check digits; undefined when it is no IBAN. */
export function ibanLike(text: string, other: (account: string) => string): string | undefined {
  const [, country, digits, account] = IBAN.exec(text.replaceAll(' ', '')) ?? [];
  if (country === undefined || remainder(account! + country + digits!) !== 1) return undefined;
  const replaced = other(account!);
  const check = String(98 - remainder(`${replaced}${country}00`)).padStart(2, '0');
  const characters = [...`${country}${check}${replaced}`];
  return text.replaceAll(/[^ ]/g, () => characters.shift()!);
}

/** ISO 7064 MOD 97-10, with letters as 10 to 35. */
const remainder = (text: string): number =>
  Number(BigInt(text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n);
