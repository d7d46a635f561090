const SHAPE = /^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{0,30}$/;

/** Whether a text is an IBAN whose check digits are right (ISO 13616); white space does not count. */
export function isIban(text: string): boolean {
  const iban = text.replace(/[ \t\r\n]/g, '');
  if (!SHAPE.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map(digitsOf).join('');
  return BigInt(digits) % 97n === 1n;
}

/** Letters count from ten; small ones follow the capital ones with a gap, as the published rule has it. */
function digitsOf(character: string): string {
  const code = character.charCodeAt(0);
  return String(code > 64 ? code - 55 : code - 48);
}
