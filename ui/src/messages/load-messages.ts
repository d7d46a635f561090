import type { Lang } from './date-format';
import type { Messages } from './en';

/** Loads the file of a language on demand. */
export async function loadMessages(lang: Lang): Promise<Messages> {
  return lang === 'de' ? (await import('./de')).de : (await import('./en')).en;
}

/** The preferred language of the browser, until the session provides the language that the client chose. */
export function browserLang(): Lang {
  const preferred = navigator.languages
    .map((tag) => tag.toLowerCase().slice(0, 2))
    .find((tag) => tag === 'de' || tag === 'en');
  return preferred === 'de' ? 'de' : 'en';
}
