import type { DescribedInvoice } from './fields-to-metadata';

/** Fields that every profile contains. */
const IDENTITY = ['number', 'date', 'currency', 'amount'] as const;
const AMOUNTS = ['amount_net', 'amount_tax'] as const;

/**
 * Whether two e-invoices are the same invoice: `no` when they differ in number, type, date, currency, amounts or the supplier's VAT
 * identifier, `yes` when both contain a number, date, currency and gross amount, and these are equal.
 */
export function isSameInvoice(one: DescribedInvoice, other: DescribedInvoice): 'yes' | 'no' | 'unknown' {
  const [a, b] = [one.metadata, other.metadata];
  const pairs = [
    [compact(a.number), compact(b.number)],
    ...[...IDENTITY.slice(1), ...AMOUNTS].map((key) => [a[key], b[key]] as const),
    [one.documentType, other.documentType],
    [a.supplier?.vat_id, b.supplier?.vat_id],
  ] as const;
  if (pairs.some(([x, y]) => x !== undefined && y !== undefined && x !== y)) return 'no';
  return IDENTITY.every((key) => a[key] !== undefined && b[key] !== undefined) ? 'yes' : 'unknown';
}

function compact(number: string | undefined): string | undefined {
  return number?.normalize('NFKC').replace(/\s+/g, '');
}
