import type { DeliveryError } from '../../transactions/record/transaction.entity';

/** What is kept of an attempt that failed; `sayDeliveryError` says it to whoever reads of it. */
export function deliveryError(code: string, status: number | null): DeliveryError {
  return { code, status, message: null };
}
