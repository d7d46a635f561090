import type { Metadata } from '../../documents/metadata';
import { normalizedId } from './invoice-key';

/** By which the invoices of one supplier are found: its VAT id or, without one, its IBAN; null without both. */
export function supplierKeyOf({ supplier }: Metadata): string | null {
  const vatId = normalizedId(supplier?.vat_id);
  if (vatId) return `vat:${vatId}`;
  const iban = normalizedId(supplier?.iban);
  return iban ? `iban:${iban}` : null;
}
