import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescribedInvoice } from '../../../src/documents/e-invoice/fields-to-metadata';

/** One of the invoices in this folder, as text. */
export function sample(name: string): string {
  return readFileSync(join(__dirname, `${name}.xml`), 'utf8');
}

/** The text with one part replaced; throws unless the part occurs exactly once, so that every replacement has an effect. */
export function changed(text: string, part: string, replacement: string): string {
  if (text.split(part).length !== 2) throw new Error(`The sample does not have "${part}" exactly once.`);
  return text.replace(part, () => replacement);
}

/** What was read from an invoice, without the result of its validation. */
export function withoutVerdict(read: DescribedInvoice | undefined): DescribedInvoice | undefined {
  if (!read) return undefined;
  const { validation: _validation, ...described } = read;
  if (!described.metadata.e_invoice) return described;
  const { format, profile } = described.metadata.e_invoice;
  return { ...described, metadata: { ...described.metadata, e_invoice: { format, ...(profile && { profile }) } } };
}
