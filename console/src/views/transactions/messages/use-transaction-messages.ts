import { useMessages } from '../../../../../ui/src/messages/use-messages';
import type { Messages } from '../../../../../ui/src/messages/en';
import { viewMessages } from '../../../messages/use-console-messages';
import { de } from './de';
import { en, type TransactionTexts } from './en';

const useTexts = viewMessages({ en, de });

export interface TransactionMessages extends TransactionTexts {
  readonly documentTypes: Messages['documentType'];
}

export function useTransactionMessages(): TransactionMessages {
  const { messages } = useMessages();
  return { ...useTexts(), documentTypes: messages.documentType };
}
