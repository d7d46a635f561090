import type { ConsoleRedeliveryRequest, ProvisioningStatus } from '@docfetch/sdk';
import { periodOf } from '../../list/period';

/** The request that redelivers all documents of the filtered list; null when none is possible: it needs a status and has no search. */
export function redeliveryRequestOf(filters: Readonly<Record<string, string>>): ConsoleRedeliveryRequest | null {
  const { status, from, to, q, ...others } = periodOf(filters);
  if (status === undefined || q !== undefined) return null;
  return { ...others, status: status as ProvisioningStatus, created_from: from, created_to: to };
}
