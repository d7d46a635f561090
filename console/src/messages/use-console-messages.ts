import { useMessages } from '../../../ui/src/messages/use-messages';
import { type Lang } from '../../../ui/src/messages/date-format';
import { de } from './de';
import { type ConsoleMessages, en } from './en';

const TEXTS: Readonly<Record<Lang, ConsoleMessages>> = { en, de };

/** The texts of the console outside its views. Both languages are loaded: they are short. */
export const useConsoleMessages = (): ConsoleMessages => TEXTS[useMessages().lang];

export const consoleMessages = (lang: Lang): ConsoleMessages => TEXTS[lang];

/** The texts of one view: `const useText = viewMessages({ en, de })`. */
export const viewMessages =
  <T>(texts: Readonly<Record<Lang, T>>) =>
  (): T =>
    texts[useMessages().lang];
