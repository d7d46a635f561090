import { I18nContext, type I18nService } from 'nestjs-i18n';
import { currentLang, formatValue, type Lang, localize } from '../i18n/lang';
import type { Params } from './errors';

/** A message of `i18n/`, by default in the language of the current request; the key when the message or the request is missing. */
export function translate(key: string, params: Params = {}, lang: Lang = currentLang()): string {
  const context = I18nContext.current();
  return context ? renderMessage(context.service, key, params, lang) : key;
}

/** A message of `i18n/` with its placeholders filled in; the key when the message is missing. */
export function renderMessage(i18n: I18nService, key: string, params: Params, lang: Lang): string {
  const args = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, placeholderValue(name, value, lang)]),
  );
  return i18n.translate(key, { lang, args });
}

/** The value of a placeholder. `count` stays numeric for the plural rules and is printed formatted. */
function placeholderValue(name: string, value: Params[string], lang: Lang): unknown {
  if (typeof value === 'number') {
    const text = formatValue(value, lang);
    return name === 'count' ? { valueOf: () => value, toString: () => text } : text;
  }
  const text = localize(value, lang);
  return escapeNesting(name === 'limit' ? formatValue(text, lang) : text);
}

/** Escapes `$t(…)` in external text, which nestjs-i18n would expand after filling in the placeholders. */
const escapeNesting = (text: string) => text.replaceAll('$t(', '$t (');
