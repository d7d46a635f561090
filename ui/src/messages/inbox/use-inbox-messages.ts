import { useMessages } from '../use-messages';
import { inbox as de } from './de';
import { inbox as en } from './en';

/** The texts of a source with an address of its own, which are loaded with its views. */
export const useInboxMessages = (): typeof en => (useMessages().lang === 'de' ? de : en);
