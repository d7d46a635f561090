import type { InvoiceDocument } from '../engine/invoice-document';
import { exists, normalized } from '../engine/select';

const FORM = /urn:fdc:peppol.eu:2017:poacc:billing:[0-9]{2}:1.0/;

/** The number of the business process (BT-23), undefined when it is not one of Peppol's. */
export function processOf({ root }: InvoiceDocument): string | undefined {
  if (!exists(root, 'ProfileID')) return undefined;
  const process = normalized(root, 'ProfileID');
  return FORM.test(process) ? process.split(':')[6] : undefined;
}
