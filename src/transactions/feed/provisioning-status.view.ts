import type { Strategy } from '../../identities/environments/environment.entity';
import { apiEnum } from '../../platform/openapi/api-enum';
import type { ProvisioningStatus } from '../record/transaction.entity';

export const STRATEGY = apiEnum<Strategy>('ProvisioningStrategy', 'How documents reach you.', {
  PUSH: 'each document is posted to your provisioning URL',
  WEBHOOK: 'a webhook announces each document, and you pull it',
  POLLING: 'you poll for new documents',
});

export const PROVISIONING_STATUS = apiEnum<ProvisioningStatus>(
  'ProvisioningStatus',
  'The delivery status of a document.',
  {
    PENDING: 'to be pushed, for the first time or again',
    DELIVERED: 'pushed, and you returned 200',
    FAILED: 'the last attempt to push it failed; it is kept and can be sent again',
    AVAILABLE: 'to be pulled',
    ACKNOWLEDGED: 'you have accepted it',
    REJECTED: 'you have rejected it',
  },
);
