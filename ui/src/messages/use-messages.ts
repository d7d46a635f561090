import { createContext, useContext } from 'react';
import type { Messages } from './en';
import type { Lang } from './date-format';

export interface Language {
  readonly lang: Lang;
  readonly messages: Messages;
  readonly changeLanguage: (lang: Lang) => void;
}

export const LanguageContext = createContext<Language | null>(null);

/** The sentences of the reader's language. */
export function useMessages(): Language {
  const language = useContext(LanguageContext);
  if (!language) throw new Error('There is no language here.');
  return language;
}

/** Each language is loaded when it is needed. */
export async function loadMessages(lang: Lang): Promise<Messages> {
  return lang === 'de' ? (await import('./de')).de : (await import('./en')).en;
}

/** What the browser prefers, until the session says what the client has chosen. */
export function browserLang(): Lang {
  const known = navigator.languages
    .map((tag) => tag.toLowerCase().slice(0, 2))
    .find((tag) => tag === 'de' || tag === 'en');
  return known === 'de' ? 'de' : 'en';
}
