import { useMessages } from '../use-messages';
import { passwords as de } from './de';
import { passwords as en } from './en';

/** The texts of a list of passwords, which are loaded with it. */
export const usePasswordMessages = (): typeof en => (useMessages().lang === 'de' ? de : en);
