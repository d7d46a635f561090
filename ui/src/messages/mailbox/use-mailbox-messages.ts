import { useMessages } from '../use-messages';
import { mailbox as de } from './de';
import { mailbox as en } from './en';

/** The texts of the setup of a mailbox, which are loaded with its view. */
export const useMailboxMessages = (): typeof en => (useMessages().lang === 'de' ? de : en);
