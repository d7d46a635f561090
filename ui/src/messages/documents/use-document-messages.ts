import { useMessages } from '../use-messages';
import { documents as de } from './de';
import { documents as en } from './en';

/** The texts about documents that are loaded with their list. */
export const useDocumentMessages = (): typeof en => (useMessages().lang === 'de' ? de : en);
