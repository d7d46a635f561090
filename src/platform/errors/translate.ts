import { I18nContext } from 'nestjs-i18n';
import type { Params } from './errors';
import { currentLang, type Lang, localize } from '../i18n/lang';

/** A message of `i18n/`, by default in the language of the current request; the key when the message or the request is missing. */
export function translate(key: string, params: Params = {}, lang: Lang = currentLang()): string {
  const args = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : escapeNesting(localize(value, lang)),
    ]),
  );
  return I18nContext.current()?.service.translate(key, { lang, args }) ?? key;
}

/** Escapes `$t(…)` in external text, which nestjs-i18n would expand after filling in the placeholders. */
const escapeNesting = (text: string) => text.replaceAll('$t(', '$t (');
