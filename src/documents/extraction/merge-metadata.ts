import { type Metadata, OWN_KEYS } from '../metadata';
import type { ReadDocument } from './read-pdf';

const AMOUNTS = ['amount', 'amount_net', 'amount_tax', 'amount_due'] as const;

/**
 * Merges the metadata of the listing with what was read from the document, and says where each value was found. An e-invoice takes
 * precedence over the listing, and the listing over the text of a PDF; `source` is always that of the listing. The arguments are
 * not changed.
 */
export function mergeMetadata(listed: Metadata, read: ReadDocument): Metadata {
  const merged = (read.from === 'TEXT' ? fillFromText : replaceByInvoice)(listed, read.metadata);
  if (listed.source) merged.source = listed.source;
  const provenance = provenanceOf(merged, listed, read);
  return { ...merged, ...(Object.keys(provenance).length > 0 && { provenance }) };
}

/**
 * A party is taken as a whole, so that two parties are never mixed, and amounts of the listing in another currency than the
 * invoice's are dropped. `payment.status` and `payment.date` are taken from the listing if present, because an invoice does not
 * contain later payments.
 */
function replaceByInvoice(listed: Metadata, invoice: Metadata): Metadata {
  const merged: Metadata = { ...listed, ...invoice };
  if (invoice.currency !== undefined && listed.currency !== undefined) {
    for (const key of invoice.currency === listed.currency ? [] : AMOUNTS) {
      if (invoice[key] === undefined) delete merged[key];
    }
  }
  if (listed.payment && invoice.payment) {
    const { status, date } = listed.payment;
    merged.payment = { ...listed.payment, ...invoice.payment, ...(status && { status }), ...(date && { date }) };
  }
  return merged;
}

/** Text fills only gaps. Its amounts are dropped when one of them, or their currency, contradicts the listing. */
function fillFromText(listed: Metadata, text: Metadata): Metadata {
  const keys = ['currency', ...AMOUNTS] as const;
  const isContradicted = keys.some(
    (key) => listed[key] !== undefined && text[key] !== undefined && listed[key] !== text[key],
  );
  const merged = { ...text, ...listed };
  for (const key of isContradicted ? keys : []) {
    if (listed[key] === undefined) delete merged[key];
  }
  return merged;
}

function provenanceOf(
  merged: Metadata,
  listed: Metadata,
  { metadata: read, from }: ReadDocument,
): NonNullable<Metadata['provenance']> {
  const ofListing = listed.source?.kind === 'mail' ? 'MAIL' : 'PROVIDER';
  const isRead = (key: keyof Metadata) => key !== 'source' && key in read && (from === 'E_INVOICE' || !(key in listed));
  const own: readonly string[] = OWN_KEYS;
  const keys = Object.keys(merged).filter((key) => !own.includes(key)) as (keyof Metadata)[];
  return Object.fromEntries(keys.map((key) => [key, from && isRead(key) ? from : ofListing]));
}
