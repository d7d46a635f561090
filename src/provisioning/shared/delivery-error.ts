import type { DeliveryError } from '../../transactions/record/transaction.entity';

/** The stored error of a failed attempt; `translateDeliveryError` renders its message. */
export function deliveryError(code: string, status: number | null): DeliveryError {
  return { code, status, message: null };
}
