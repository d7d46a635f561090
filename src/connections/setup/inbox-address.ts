import { randomInt } from 'node:crypto';

const LATIN = Array.from({ length: 26 }, (_, n) => String.fromCharCode('a'.charCodeAt(0) + n));
/** Without characters that are mistaken for others. */
const ALPHABET = [...LATIN.filter((letter) => !'ilo'.includes(letter)), ...'23456789'];
/** 31^12 codes: an address cannot be guessed from the name of a connection. */
const CODE_LENGTH = 12;
const MAX_NAME = 30;
const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  å: 'a',
  ł: 'l',
};

/** A new address in lower case: the name of the connection, as far as addresses can contain it, and a random code. */
export function inboxAddress(name: string, domain: string): string {
  const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]!).join('');
  return `${localName(name)}-${code}@${domain}`;
}

function localName(name: string): string {
  const letters = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
  const words = letters.replace(/[^a-z0-9]+/g, '-').slice(0, MAX_NAME);
  return words.replace(/^-+|-+$/g, '') || 'inbox';
}
