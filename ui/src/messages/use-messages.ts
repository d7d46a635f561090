import { createContext, useContext } from 'react';
import type { Messages } from './en';
import type { Lang } from './date-format';

export interface Language {
  readonly lang: Lang;
  readonly messages: Messages;
  readonly changeLanguage: (lang: Lang) => void;
}

export const LanguageContext = createContext<Language | null>(null);

/** The current language and its texts. */
export function useMessages(): Language {
  const language = useContext(LanguageContext);
  if (!language) throw new Error('useMessages must be used within LanguageContext.');
  return language;
}
