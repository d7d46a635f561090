import type { DocumentType, Transaction } from '@docfetch/sdk';
import type { BadgeTone } from '../../components/badge';

export const DOCUMENT_TYPES: readonly DocumentType[] = [
  ...(['invoice', 'credit_note', 'receipt', 'bank_statement', 'reminder'] as const),
  ...(['delivery_note', 'order_confirmation', 'contract', 'document'] as const),
];

type Status = Transaction['provisioning']['status'];
export const DELIVERY_STATUSES: readonly Status[] = [
  ...(['PENDING', 'DELIVERED', 'FAILED', 'AVAILABLE', 'ACKNOWLEDGED', 'REJECTED'] as const),
];

export const DELIVERY_TONES: Readonly<Record<Status, BadgeTone>> = {
  PENDING: 'wait',
  DELIVERED: 'good',
  FAILED: 'bad',
  AVAILABLE: 'off',
  ACKNOWLEDGED: 'good',
  REJECTED: 'bad',
};
