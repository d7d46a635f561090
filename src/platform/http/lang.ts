import { type ExecutionContext, Injectable } from '@nestjs/common';
import { I18nContext, type I18nResolver } from 'nestjs-i18n';

export const LANGUAGES = ['en', 'de'] as const;
export type Lang = (typeof LANGUAGES)[number];

/** A text in every language of the product. A missing language is a compile error. */
export interface Localised {
  readonly en: string;
  readonly de: string;
}

const known = (tag: string): Lang | undefined => {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((lang) => lang === primary);
};

/** contract 1: `Lang`, else `Accept-Language`, else English. An unknown `Lang` is English and never an error. */
export function negotiate(lang: string | undefined, acceptLanguage: string | undefined): Lang {
  if (lang) return known(lang) ?? 'en';
  const wishes = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return { lang: known(tag), quality: Number(quality ?? 1) };
    })
    .filter((wish) => wish.lang && wish.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return wishes[0]?.lang ?? 'en';
}

interface WithHeaders {
  headers?: Record<string, string | undefined>;
}

/** Tells nestjs-i18n the language of a request; in a middleware and in a guard alike. */
@Injectable()
export class LangResolver implements I18nResolver {
  resolve(context: ExecutionContext): Lang {
    const http = context.switchToHttp?.();
    const request: WithHeaders = http?.getRequest<WithHeaders | undefined>() ?? (context as unknown as WithHeaders);
    return negotiate(request.headers?.lang, request.headers?.['accept-language']);
  }
}

/** The language of the request being answered; English outside of one. */
export function currentLang(): Lang {
  return known(I18nContext.current()?.lang ?? 'en') ?? 'en';
}

/** The text in the given language, by default that of the request being answered. */
export function localise(text: Localised | string, lang: Lang = currentLang()): string {
  return typeof text === 'string' ? text : text[lang];
}
