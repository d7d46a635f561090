import { type Described, FIELDS } from './fields';

const AMOUNTS = new Set(['amount', 'amount_net', 'amount_tax']);
const DATES = new Set(['date', 'due_date']);
const SYMBOLS: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', USD: '$' };

/** Without spaces and in lower case: a page may break a value anywhere. */
const compact = (text: string) => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase();

/**
 * The fields whose true value the text of the pages shows in none of the usual notations, so that nothing can read them. The type
 * of a document is a word, not a value, and always counts as shown.
 */
export function absentFields(truth: Described, text: string): Set<string> {
  const shown = compact(text);
  const bare = shown.replace(/[.,-]/g, '');
  return new Set(
    Object.entries(FIELDS).flatMap(([field, valueOf]) => {
      const value = valueOf(truth);
      if (value === undefined || field === 'document_type') return [];
      const isShown =
        notationsOf(field, value).some((notation) => shown.includes(compact(notation))) ||
        (/\./.test(field) && bare.includes(value.toLowerCase()));
      return isShown ? [] : [field];
    }),
  );
}

function notationsOf(field: string, value: string): string[] {
  if (AMOUNTS.has(field)) return notationsOfAmount(value);
  if (DATES.has(field)) return notationsOfDate(value);
  return field === 'currency' ? [value, SYMBOLS[value] ?? value] : [value];
}

function notationsOfDate(date: string): string[] {
  const [year, month, day] = date.split('-') as [string, string, string];
  const numbers = ['.', '/', '-'].flatMap((point) => [
    [day, month, year].join(point),
    [month, day, year].join(point),
    [Number(day), Number(month), year].join(point),
    [day, month, year.slice(2)].join(point),
  ]);
  const names = ['de', 'en', 'fr'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) => {
      const name = new Date(date).toLocaleString(language, { month: style, timeZone: 'UTC' });
      return [day, String(Number(day))].flatMap((each) => [
        `${each}.${name}${year}`,
        `${each}${name}${year}`,
        `${each}-${name}-${year}`,
        `${name}${each},${year}`,
      ]);
    }),
  );
  return [date, ...numbers, ...names];
}

function notationsOfAmount(amount: string): string[] {
  const [whole, cents] = amount.split('.') as [string, string];
  return ['', '.', ',', "'"].flatMap((separator) =>
    ['.', ','].map((point) => whole.replace(/\B(?=(\d{3})+$)/g, separator) + point + cents),
  );
}
