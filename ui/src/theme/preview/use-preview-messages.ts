import { preview as de } from '../../messages/preview/de';
import { preview as en } from '../../messages/preview/en';
import { useMessages } from '../../messages/use-messages';

export const usePreviewMessages = (): typeof en => (useMessages().lang === 'de' ? de : en);
