import { useMessages } from '../use-messages';
import { popup as de } from './de';
import { popup as en } from './en';

/** The texts of the authorization in a popup, which are loaded with its views. */
export const usePopupMessages = (): typeof en => (useMessages().lang === 'de' ? de : en);
