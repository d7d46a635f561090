import type { Messages } from './en';

export type Lang = 'en' | 'de';
export const LOCALES: Readonly<Record<Lang, string>> = { en: 'en-GB', de: 'de-DE' };

const DAY_MS = 86_400_000;

/** The midnight before a moment, in the reader's time zone, as a number of days. */
function dayNumber(moment: Date): number {
  return Math.round(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / DAY_MS);
}

/** A moment as one would say it: `today at 14:32`, `morgen um 08:00 Uhr`, `3 March 2027, 14:32`. */
export function formatDateTime(iso: string, lang: Lang, messages: Messages['when'], now = new Date()): string {
  const moment = new Date(iso);
  const time = new Intl.DateTimeFormat(LOCALES[lang], { hour: '2-digit', minute: '2-digit' }).format(moment);
  switch (dayNumber(moment) - dayNumber(now)) {
    case 0:
      return messages.today(time);
    case 1:
      return messages.tomorrow(time);
    case -1:
      return messages.yesterday(time);
    default:
      return messages.day(new Intl.DateTimeFormat(LOCALES[lang], { dateStyle: 'long' }).format(moment), time);
  }
}

/** A day (`2026-11-20`) as the reader writes it: `20 November 2026`, `20. November 2026`. */
export function formatDay(day: string, lang: Lang): string {
  return new Intl.DateTimeFormat(LOCALES[lang], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** The day of a moment, where the reader is. */
export function formatDate(iso: string, lang: Lang): string {
  return new Intl.DateTimeFormat(LOCALES[lang], { dateStyle: 'long' }).format(new Date(iso));
}

/** Like {@link formatDateTime}, but what is due already is due any moment. */
export function formatNextFetch(iso: string, lang: Lang, messages: Messages['when'], now = new Date()): string {
  return new Date(iso) <= now ? messages.now : formatDateTime(iso, lang, messages, now);
}
