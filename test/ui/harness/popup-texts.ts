import { popup as de } from '../../../ui/src/messages/popup/de';
import { popup as en } from '../../../ui/src/messages/popup/en';
import type { Lang } from './ui-context';

/** The texts of the authorization in a popup, which are loaded with its views. */
export const POPUP: Readonly<Record<Lang, typeof en>> = { en, de };
