import type { ConsoleRedeliveryRequest, ProvisioningStatus } from '@docfetch/sdk';
import { periodOf } from '../../list/period';

/** The filters of the list as those of a redelivery, which has a status and knows no search; null when it cannot have them. */
export function redeliveryOf(filters: Readonly<Record<string, string>>): ConsoleRedeliveryRequest | null {
  const { status, from, to, q, ...others } = periodOf(filters);
  if (status === undefined || q !== undefined) return null;
  return { ...others, status: status as ProvisioningStatus, created_from: from, created_to: to };
}
