import type { Messages } from './en';

export type Lang = 'en' | 'de';
export const LOCALES: Readonly<Record<Lang, string>> = { en: 'en-GB', de: 'de-DE' };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Dates are formatted without `Intl.DateTimeFormat`: browsers load all of their locales for the first one, which takes 60 ms on a
 * phone, before the overview is shown.
 */
const MONTHS: Readonly<Record<Lang, readonly string[]>> = {
  en: [
    ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
    ...['August', 'September', 'October', 'November', 'December'],
  ],
  de: [
    ...['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli'],
    ...['August', 'September', 'Oktober', 'November', 'Dezember'],
  ],
};

const longDate = (year: number, month: number, day: number, lang: Lang): string =>
  `${day}${lang === 'de' ? '.' : ''}\u00a0${MONTHS[lang][month]!}\u00a0${year}`;

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Number of the local calendar day since 1970. */
function dayNumber(moment: Date): number {
  return Math.round(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / DAY_MS);
}

/** A date with time: `today at 14:32`, `morgen um 08:00 Uhr`, `3 March 2027, 14:32`. */
export function formatDateTime(iso: string, lang: Lang, messages: Messages['when'], now = new Date()): string {
  const moment = new Date(iso);
  const time = `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
  switch (dayNumber(moment) - dayNumber(now)) {
    case 0:
      return messages.today(time);
    case 1:
      return messages.tomorrow(time);
    case -1:
      return messages.yesterday(time);
    default:
      return messages.day(formatDate(iso, lang), time);
  }
}

/** Like {@link formatDateTime}, for the time from which something is possible: rounded up to the minute. */
export function formatEarliest(time: number, lang: Lang, messages: Messages['when'], now = new Date()): string {
  return formatDateTime(new Date(Math.ceil(time / MINUTE_MS) * MINUTE_MS).toISOString(), lang, messages, now);
}

/** A date without time (`2026-11-20`): `20 November 2026`, `20. November 2026`. */
export function formatDay(day: string, lang: Lang): string {
  const [year, month, ofMonth] = day.split('-').map(Number) as [number, number, number];
  return longDate(year, month - 1, ofMonth, lang);
}

/** A date where space is short: `20 Nov 2026`, `20.11.2026`. */
export function formatShortDay(day: string, lang: Lang): string {
  const [year, month, ofMonth] = day.split('-') as [string, string, string];
  if (lang === 'de') return `${ofMonth}.${month}.${year}`;
  return `${Number(ofMonth)}\u00a0${MONTHS.en[Number(month) - 1]!.slice(0, 3)}\u00a0${year}`;
}

/** The date of a timestamp in the user's time zone. */
export function formatDate(iso: string, lang: Lang): string {
  const date = new Date(iso);
  return longDate(date.getFullYear(), date.getMonth(), date.getDate(), lang);
}

/** Like {@link formatDateTime}; a past time becomes `any moment now`. */
export function formatNextFetch(iso: string, lang: Lang, messages: Messages['when'], now = new Date()): string {
  return new Date(iso) <= now ? messages.now : formatDateTime(iso, lang, messages, now);
}

/** An amount, with its currency if it is known: `€119.00`, `119,00 €`. */
export function formatAmount(amount: string, currency: string | null, lang: Lang): string {
  const isCode = currency !== null && /^[A-Z]{3}$/.test(currency);
  const style: Intl.NumberFormatOptions = isCode
    ? { style: 'currency', currency }
    : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(LOCALES[lang], style).format(Number(amount));
}
