import { I18nContext } from 'nestjs-i18n';
import type { Params } from './errors';
import { currentLang, type Lang, localize } from '../i18n/lang';

/** A sentence of `i18n/`, by default in the language of the request being answered; its key when there is no such sentence, or no request. */
export function translate(key: string, params: Params = {}, lang: Lang = currentLang()): string {
  const args = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : inert(localize(value, lang)),
    ]),
  );
  return I18nContext.current()?.service.translate(key, { lang, args }) ?? key;
}

/** What a stranger wrote is not translated: nestjs-i18n looks for `$t(…)` in what it has filled in. */
const inert = (text: string) => text.replaceAll('$t(', '$t (');
