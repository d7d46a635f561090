import { apiEnum } from '../../platform/openapi/api-enum';
import type { ProvisioningStatus } from '../record/provisioning-status';

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
