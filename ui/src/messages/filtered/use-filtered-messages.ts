import { useMessages } from '../use-messages';
import { filtered as de } from './de';
import { filtered as en } from './en';

/** The texts about documents that a fetch left out, which are loaded with the history. */
export const useFilteredMessages = (): typeof en => (useMessages().lang === 'de' ? de : en);
