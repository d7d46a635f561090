import { calendarDay } from '../../e-invoice/calendar-day';

/** How a document writes dates of digits with slashes or hyphens. */
export type DayOrder = 'DAY_FIRST' | 'MONTH_FIRST';

const MONTHS: readonly string[][] = [
  ['januar', 'jänner', 'january', 'jan'],
  ['februar', 'feber', 'february', 'feb'],
  ['märz', 'maerz', 'march', 'mär', 'mrz', 'mar'],
  ['april', 'apr'],
  ['mai', 'may'],
  ['juni', 'june', 'jun'],
  ['juli', 'july', 'jul'],
  ['august', 'aug'],
  ['september', 'sept', 'sep'],
  ['oktober', 'october', 'okt', 'oct'],
  ['november', 'nov'],
  ['dezember', 'december', 'dez', 'dec'],
];
const MONTH_NUMBERS = new Map(MONTHS.flatMap((names, index) => names.map((name) => [name, index + 1] as const)));
const MONTH = `(${[...MONTH_NUMBERS.keys()].sort((a, b) => b.length - a.length).join('|')})\\.?`;
const END = '(?![\\d\\p{L}])';

const WEEKDAY = /^(?:(?:mo|di|mi|do|fr|sa|so|mon|tue|wed|thu|fri|sat|sun)[a-zäöü]*[.,]*\s+)?(?:den\s+|the\s+)?/i;
const ISO = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)(?:T\\d\\d:\\d\\d.*)?${END}`, 'u');
const DOTS = new RegExp(`^(\\d{1,2})\\. ?(\\d{1,2})\\. ?(\\d{4}|\\d\\d)${END}`, 'u');
const SLASHES = new RegExp(`^(\\d{1,2})([/-])(\\d{1,2})\\2(\\d{4})${END}`, 'u');
const DAY_MONTH = new RegExp(`^(\\d{1,2})(?:\\.|st|nd|rd|th)?[ -]?(?:of )?${MONTH}[ -]?,? ?(\\d{4})${END}`, 'iu');
const MONTH_DAY = new RegExp(`^${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})${END}`, 'iu');

/**
 * Parses a date at the beginning of a text, in the notations of German and English: `02.03.2026`, `2. März 2026`, `2026-03-02`,
 * `March 2, 2026`, `02-Mar-2026`, and `02/03/2026` if `order` is known or only one order gives a day of the calendar.
 */
export function parseDate(text: string, order?: DayOrder): string | undefined {
  const written = text.replace(WEEKDAY, '');
  let found = ISO.exec(written);
  if (found) return day(found[1]!, found[2]!, found[3]!);
  found = DOTS.exec(written);
  if (found) return day(found[3]!, found[2]!, found[1]!);
  found = DAY_MONTH.exec(written);
  if (found) return day(found[3]!, monthNumber(found[2]!), found[1]!);
  found = MONTH_DAY.exec(written);
  if (found) return day(found[3]!, monthNumber(found[1]!), found[2]!);
  found = SLASHES.exec(written);
  return found ? ordered(found[1]!, found[3]!, found[4]!, order) : undefined;
}

/** The order in which a document writes days and months: known when one of its dates permits only one, and none contradicts. */
export function dayOrder(texts: Iterable<string>): DayOrder | undefined {
  const orders = new Set<DayOrder>();
  for (const text of texts)
    for (const [, first, , second] of text.matchAll(/(?<!\d)(\d{1,2})([/-])(\d{1,2})\2\d{4}(?!\d)/g)) {
      if (Number(first) > 12) orders.add('DAY_FIRST');
      if (Number(second) > 12) orders.add('MONTH_FIRST');
    }
  return orders.size === 1 ? [...orders][0] : undefined;
}

function ordered(first: string, second: string, year: string, order: DayOrder | undefined): string | undefined {
  const [dayFirst, monthFirst] = [day(year, second, first), day(year, first, second)];
  if (order) return order === 'DAY_FIRST' ? dayFirst : monthFirst;
  if (dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst) return undefined;
  return dayFirst ?? monthFirst;
}

function monthNumber(name: string): string {
  return String(MONTH_NUMBERS.get(name.toLowerCase()));
}

/** Undefined for a day that does not exist or is not plausible for a document. */
function day(year: string, month: string, dayOfMonth: string): string | undefined {
  const full = year.length === 2 ? `20${year}` : year;
  const text = calendarDay(full, month.padStart(2, '0'), dayOfMonth.padStart(2, '0'));
  const latest = new Date().getFullYear() + 2;
  return text !== undefined && Number(full) >= 1990 && Number(full) <= latest ? text : undefined;
}
