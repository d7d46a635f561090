import { xsdDay } from '../calendar-day';
import type { XmlElement } from '../xml/xml';
import type { Fact, FactGroup, FactKind } from './readable-invoice';

/** Characters of all values together, and lists of one kind: more is no invoice for people. */
const MAX_CHARACTERS = 1_000_000;
const MAX_ITEMS = 1_000;

type Value = string | undefined;

/** Makes facts of values, skips missing ones, and bounds their number and length for the whole invoice. */
export class FactReader {
  isTruncated = false;
  private remaining = MAX_CHARACTERS;

  fact(key: string, kind: FactKind, value: Value, unit?: Value): Fact[] {
    if (value === undefined || value === '') return [];
    this.remaining -= value.length + key.length;
    if (this.remaining < 0) {
      this.isTruncated = true;
      return [];
    }
    return [{ key, kind, value, ...(unit !== undefined && { unit }) }];
  }

  text(key: string, value: Value, unit?: Value): Fact[] {
    return this.fact(key, 'text', value, unit);
  }

  /** An identifier with its scheme. */
  id(key: string, element: XmlElement | undefined): Fact[] {
    return this.text(key, element?.text(), element?.attribute('schemeID'));
  }

  /** An amount in its own currency, else in that of the invoice. */
  amount(key: string, element: XmlElement | undefined, currency: Value): Fact[] {
    return this.fact(key, 'amount', element?.text(), element?.attribute('currencyID') ?? currency);
  }

  day(key: string, value: Value): Fact[] {
    return this.fact(key, 'day', value);
  }

  /** A day of XML Schema, without its time zone; as written when it is no day. */
  xsdDay(key: string, value: Value): Fact[] {
    return this.day(key, xsdDay(value) ?? value);
  }

  /** The first ones of a list. */
  items<T>(all: readonly T[]): readonly T[] {
    if (all.length > MAX_ITEMS) this.isTruncated = true;
    return all.slice(0, MAX_ITEMS);
  }

  group(key: string, facts: readonly Fact[]): FactGroup[] {
    return facts.length === 0 ? [] : [{ key, facts }];
  }
}

/** The lines of an address, the postal code before the city. */
export function addressOf(
  facts: FactReader,
  lines: readonly Value[],
  code: Value,
  city: Value,
  rest: readonly Value[],
): Fact[] {
  const place = [code, city].filter((part) => part !== undefined).join(' ');
  const all = [...lines, place === '' ? undefined : place, ...rest].filter((line) => line !== undefined);
  return facts.fact('address', 'paragraphs', all.length === 0 ? undefined : all.join('\n'));
}
