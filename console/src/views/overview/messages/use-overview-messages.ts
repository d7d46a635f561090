import { viewMessages } from '../../../messages/use-console-messages';
import { de } from './de';
import { en } from './en';

export const useOverviewMessages = viewMessages({ en, de });
