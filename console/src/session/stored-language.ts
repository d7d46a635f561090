import type { Lang } from '../../../ui/src/messages/date-format';
import { browserLang } from '../../../ui/src/messages/load-messages';

const KEY = 'docfetch.console.language';

/** The language that was chosen here before, else that of the browser. Storage may be forbidden. */
export function storedLanguage(): Lang {
  try {
    const lang = localStorage.getItem(KEY);
    if (lang === 'de' || lang === 'en') return lang;
  } catch {
    // as without a choice
  }
  return browserLang();
}

export function storeLanguage(lang: Lang): void {
  try {
    localStorage.setItem(KEY, lang);
  } catch {
    // only until the page is closed
  }
}
