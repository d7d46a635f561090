import { SETTLEMENT } from './groups';

export const INVOICE_CURRENCY = `${SETTLEMENT}/InvoiceCurrencyCode`;

export function doubleSum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
