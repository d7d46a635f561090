import type { Words } from './en';

export type Lang = 'en' | 'de';
export const LOCALES: Readonly<Record<Lang, string>> = { en: 'en-GB', de: 'de-DE' };

const DAY_MS = 86_400_000;

/** The midnight before a moment, in the reader's time zone, as a number of days. */
function dayOf(moment: Date): number {
  return Math.round(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / DAY_MS);
}

/** A moment as one would say it: `today at 14:32`, `morgen um 08:00 Uhr`, `3 March 2027, 14:32`. */
export function sayMoment(iso: string, lang: Lang, words: Words['when'], now = new Date()): string {
  const moment = new Date(iso);
  const time = new Intl.DateTimeFormat(LOCALES[lang], { hour: '2-digit', minute: '2-digit' }).format(moment);
  switch (dayOf(moment) - dayOf(now)) {
    case 0:
      return words.today(time);
    case 1:
      return words.tomorrow(time);
    case -1:
      return words.yesterday(time);
    default:
      return words.day(new Intl.DateTimeFormat(LOCALES[lang], { dateStyle: 'long' }).format(moment), time);
  }
}

/** A day (`2026-11-20`) as the reader writes it: `20 November 2026`, `20. November 2026`. */
export function sayDay(day: string, lang: Lang): string {
  return new Intl.DateTimeFormat(LOCALES[lang], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** The day of a moment, where the reader is. */
export function sayDate(iso: string, lang: Lang): string {
  return new Intl.DateTimeFormat(LOCALES[lang], { dateStyle: 'long' }).format(new Date(iso));
}

/** Like {@link sayMoment}, but what is due already is due any moment. */
export function sayNext(iso: string, lang: Lang, words: Words['when'], now = new Date()): string {
  return new Date(iso) <= now ? words.now : sayMoment(iso, lang, words, now);
}
