export const PROVISIONING_STATUSES = [
  'PENDING',
  'DELIVERED',
  'FAILED',
  'AVAILABLE',
  'ACKNOWLEDGED',
  'REJECTED',
] as const;
export type ProvisioningStatus = (typeof PROVISIONING_STATUSES)[number];
