import type { DescribedInvoice } from './facts-to-metadata';

const STATED = ['date', 'currency', 'amount', 'amount_net', 'amount_tax'] as const;

/**
 * Whether two e-invoices are one, written twice: they have one number, and contradict each other neither in type, date,
 * currency and amounts nor in the supplier's VAT identifier. What only one of them states (MINIMUM has no lines, say) is no
 * contradiction.
 */
export function isSameInvoice(one: DescribedInvoice, other: DescribedInvoice): boolean {
  const [a, b] = [one.metadata, other.metadata];
  const agree = (x: string | undefined, y: string | undefined) => x === undefined || y === undefined || x === y;
  return (
    a.number !== undefined &&
    compact(a.number) === compact(b.number) &&
    agree(one.documentType, other.documentType) &&
    STATED.every((key) => agree(a[key], b[key])) &&
    agree(a.supplier?.vat_id, b.supplier?.vat_id)
  );
}

function compact(number: string | undefined): string | undefined {
  return number?.normalize('NFKC').replace(/\s+/g, '');
}
