import { I18nContext } from 'nestjs-i18n';
import type { IncomingMessage } from 'node:http';

export const LANGUAGES = ['en', 'de'] as const;
export type Lang = (typeof LANGUAGES)[number];

/** A text in every language of the product. A missing language is a compile error. */
export interface Localized {
  readonly en: string;
  readonly de: string;
}

const known = (tag: string): Lang | undefined => {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((lang) => lang === primary);
};

/** decisions 1: `Lang`, else `Accept-Language`, else English. An unknown `Lang` is English and never an error. */
export function negotiate(lang: string | undefined, acceptLanguage: string | undefined): Lang {
  if (lang) return known(lang) ?? 'en';
  if (!acceptLanguage) return 'en';
  const named = acceptLanguage.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';');
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
    return { tag: tag.trim(), lang: known(tag), quality: Number(quality ?? 1) };
  });
  // RFC 9110: `*` matches every language that is not listed.
  const others = LANGUAGES.find((candidate) => named.every((preference) => preference.lang !== candidate));
  const preferences = named
    .map((preference) => (preference.tag === '*' ? { ...preference, lang: others } : preference))
    .filter((preference) => preference.lang && preference.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return preferences[0]?.lang ?? 'en';
}

/** The request headers that determine the language, for `Vary` (decisions 1). */
export const LANGUAGE_HEADERS = 'Lang, Accept-Language';

const NEGOTIATED = Symbol('negotiated language');
type WithHeaders = Pick<IncomingMessage, 'headers'> & { [NEGOTIATED]?: Lang };

/** The language of a request. It is negotiated once; error responses, headers and messages use the same result. */
export function languageOf(request: WithHeaders): Lang {
  const { headers } = request;
  request[NEGOTIATED] ??= negotiate(headers.lang as string | undefined, headers['accept-language']);
  return request[NEGOTIATED];
}

/** The language of the current request; English outside of a request. */
export const currentLang = (): Lang => (I18nContext.current()?.lang ?? 'en') as Lang; // set by RequestScope

/** The text in the given language, by default that of the current request. */
export function localize(text: Localized | string, lang: Lang = currentLang()): string {
  return typeof text === 'string' ? text : text[lang];
}

/** The formats of numbers, dates and names. */
export const LOCALES: Readonly<Record<Lang, string>> = { en: 'en-GB', de: 'de-DE' };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A number or a date (`2026-11-20`) in the reader's format: `10,000` or `10.000`, `20 November 2026` or `20. November 2026`. */
export function formatValue(value: number | string, lang: Lang): string {
  if (typeof value === 'number') return new Intl.NumberFormat(LOCALES[lang]).format(value);
  if (!DAY.test(value)) return value;
  return new Intl.DateTimeFormat(LOCALES[lang], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(value));
}
