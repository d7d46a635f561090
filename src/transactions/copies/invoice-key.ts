import { createHash } from 'node:crypto';
import { formatDecimal, parseDecimal } from '../../documents/e-invoice/decimal';
import type { DocumentType, Metadata } from '../../documents/metadata';

/** The types that an invoice may have; `document` is one whose type is not known. */
const TYPES: ReadonlySet<DocumentType> = new Set(['invoice', 'credit_note', 'receipt', 'document']);

/**
 * The key by which copies of one invoice are found within an identity: a digest of number, date and gross amount. Null without
 * one of these, without a VAT id or IBAN of the supplier, and for documents that are no invoices. Whether documents with the same
 * key are copies is decided by `isCopy`.
 */
export function invoiceKeyOf(documentType: DocumentType, metadata: Metadata): string | null {
  const { date, supplier } = metadata;
  const number = normalizedNumber(metadata.number);
  const gross = parseDecimal(metadata.amount);
  if (!TYPES.has(documentType) || !number || !date || gross === undefined) return null;
  if (!normalizedId(supplier?.vat_id) && !normalizedId(supplier?.iban)) return null;
  const digest = createHash('sha256')
    .update([number, date, formatDecimal(gross)].join('\n'))
    .digest('base64url');
  return digest.slice(0, KEY_LENGTH);
}

/** 132 bits: enough, and half of what the index would hold otherwise. */
const KEY_LENGTH = 22;

/** Upper case, without spaces, in one form of characters, and with one kind of dash: `re 2026–17` is `RE2026-17`. */
function normalizedNumber(number: string | undefined): string | undefined {
  return number
    ?.normalize('NFKC')
    .toUpperCase()
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/gu, '');
}

/** A VAT id or IBAN in upper case without spaces and punctuation. */
export function normalizedId(id: string | undefined): string | undefined {
  return id?.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
