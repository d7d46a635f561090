import { createHmac, randomBytes } from 'node:crypto';
import type { NamedValues } from './named-values';
import { ibanLike } from './iban';
import { DateShift } from './date-shift';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const MEDIA_TYPE = /^(?:application|image|text)\/[\w.+-]{1,80}$/;
const EMAIL = /^([^\s@]+)@([^\s@]+)\.[^\s@.]+$/;
const EXTENSION = /^(.+)(\.(?:pdf|xml|zip|png|jpe?g|tiff?|csv|txt|html?|docx?|xlsx?))$/i;
const HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[\da-f-]{8,}$/i;
/**
 * Attempts to find a free pseudonym of the same form. After them a text may be its own pseudonym, because few others are left; after
 * twice as many, two texts may share one.
 */
const ENOUGH_ATTEMPTS = 2_500;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Replaces values by others of the same form: the same value always by the same one, different values by different ones. The seed
 * exists in memory only, so that nothing leads back, and every cassette has other pseudonyms.
 */
export class Pseudonyms {
  readonly dates: DateShift;
  private readonly seed = randomBytes(32);
  private readonly made = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** @param named values in it stay in clear */
  constructor(
    private readonly named: NamedValues,
    private readonly urlOf: (url: string, pseudonyms: Pseudonyms) => string,
  ) {
    // One to thirteen months.
    this.dates = new DateShift(-30 - (this.bytes('days', 4).readUInt32BE() % 365));
  }

  /** Why a text stays in clear; undefined when it does not. */
  reasonToKeep(text: string): string | undefined {
    if (this.named.words.has(text)) return 'named by the file';
    if (CURRENCIES.has(text.toUpperCase())) return 'a currency';
    return MEDIA_TYPE.test(text) ? 'a type of file' : undefined;
  }

  text(text: string): string {
    // One digit says nothing about anybody, and has too few others.
    if (this.reasonToKeep(text) !== undefined || /^\d$/.test(text)) return text;
    const date = this.dates.text(text);
    if (date !== undefined) return date;
    if (/^https?:\/\//i.test(text) && URL.canParse(text)) return this.urlOf(text, this);
    if (/^\/[^\s/]/.test(text)) return this.urlOf(text, this);
    const [, user, domain] = EMAIL.exec(text) ?? [];
    if (user !== undefined) return `${this.text(user)}@${this.like(domain!)}.example`;
    const iban = ibanLike(text, (account) => this.like(account));
    if (iban !== undefined) return iban;
    const [, stem, extension] = EXTENSION.exec(text) ?? [];
    if (stem !== undefined) return this.text(stem) + extension;
    const prefix = this.named.prefixes.find((each) => text.startsWith(each) && text !== each) ?? '';
    const rest = text.slice(prefix.length);
    const suffix = this.named.suffixes.find((each) => rest.endsWith(each) && rest !== each) ?? '';
    return prefix + this.like(rest.slice(0, rest.length - suffix.length)) + suffix;
  }

  /** The same for the number that a text would be, so that both have the same pseudonym. */
  number(value: number): number {
    const [, sign, digits] = /^(-?)(\d+(?:\.\d+)?)$/.exec(String(value)) ?? [];
    return digits === undefined ? 0 : Number(sign + this.text(digits));
  }

  /** An amount, multiplied with a factor that is the same for all amounts of a record: their sums and signs remain. */
  amount(text: string, record: string): string {
    const [, sign, digits, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
    const value = Number(`${digits}.${decimals || '0'}`);
    if (value === 0) return text;
    const random = this.bytes(`factor ${record}`, 4).readUInt32BE() / 2 ** 32;
    const factor = random < 0.5 ? 0.4 + random : 1.15 + random;
    const smallest = 10 ** -decimals.length;
    return sign + Math.max(smallest, value * factor).toFixed(decimals.length);
  }

  /** A text of other letters and digits, with everything else in its place. */
  private like(text: string): string {
    if (!/[\p{L}\p{N}]/u.test(text)) return text;
    const existing = this.made.get(text);
    if (existing !== undefined) return existing;
    const letters = HEXADECIMAL.test(text) ? 'abcdef' : LOWER;
    for (let attempt = 0; ; attempt++) {
      const made = replaced(text, letters, this.bytes(`${attempt} ${text}`, text.length));
      const isFree = !this.taken.has(made) && !this.named.words.has(made);
      if (!(isFree && (made !== text || attempt > ENOUGH_ATTEMPTS)) && attempt < 2 * ENOUGH_ATTEMPTS) continue;
      this.made.set(text, made);
      this.taken.add(made);
      return made;
    }
  }

  private bytes(label: string, length: number): Buffer {
    const key = createHmac('sha256', this.seed).update(label).digest();
    const blocks: Buffer[] = [];
    for (let at = 0; at * 32 < length; at++) blocks.push(createHmac('sha256', key).update(String(at)).digest());
    return Buffer.concat(blocks);
  }
}

function replaced(text: string, letters: string, random: Buffer): string {
  let at = 0;
  return text.replaceAll(/\p{L}|\p{N}/gu, (character, place: number) => {
    const value = random[at++]!;
    if (/\p{N}/u.test(character)) {
      // A number keeps its number of digits.
      if (place > 0) return String(value % 10);
      return character === '0' ? '0' : String(1 + (value % 9));
    }
    const letter = letters[value % letters.length]!;
    return character === character.toLowerCase() ? letter : letter.toUpperCase();
  });
}
