import { type Lang, LOCALES } from '../../../ui/src/messages/date-format';

const MINUTE_SECONDS = 60;
/** Each with the number at which the next unit begins. */
const UNITS = [
  ['minute', MINUTE_SECONDS, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 30],
  ['month', 2_592_000, 12],
  ['year', 31_536_000, Infinity],
] as const;

/** Rounded: `3 min ago`, `in 2 hr`, `vor 3 Min.`; null within the same minute. */
export function formatRelative(iso: string, lang: Lang, now: number): string | null {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const distance = Math.abs(seconds);
  if (distance < MINUTE_SECONDS) return null;
  const [unit, size] = UNITS.find(([, length, end]) => Math.round(distance / length) < end)!;
  return relativeFormats[lang].format(Math.sign(seconds) * Math.round(distance / size), unit);
}

const relativeFormats = byLanguage(
  (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' }),
);
const exactFormats = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
);
const timeFormats = byLanguage((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));
const numberFormats = byLanguage((locale) => new Intl.NumberFormat(locale));

/** In the user's time zone, with seconds: `27 Nov 2026, 14:32:05`. */
export const formatExact = (iso: string, lang: Lang): string => exactFormats[lang].format(new Date(iso));

export const formatTime = (moment: Date, lang: Lang): string => timeFormats[lang].format(moment);

export const formatNumber = (count: number, lang: Lang): string => numberFormats[lang].format(count);

/** Formats are created when they are first used: that takes browsers some time. */
function byLanguage<T>(create: (locale: string) => T): Readonly<Record<Lang, T>> {
  const created: Partial<Record<Lang, T>> = {};
  const of = (lang: Lang) => (created[lang] ??= create(LOCALES[lang]));
  return {
    get en() {
      return of('en');
    },
    get de() {
      return of('de');
    },
  };
}

const hourFormats = byLanguage((locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }));

export const formatHour = (iso: string, lang: Lang): string => hourFormats[lang].format(new Date(iso));
