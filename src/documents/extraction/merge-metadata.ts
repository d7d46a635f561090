import type { Metadata } from '../metadata';

const AMOUNTS = ['amount', 'amount_net', 'amount_tax', 'amount_due'] as const;

/**
 * Merges the metadata of the listing with that of the document: the document's values take precedence, except `source`. A party is
 * taken as a whole, so that two parties are never mixed, and amounts of the listing in another currency than the document's are
 * dropped. `payment.status` and `payment.date` are taken from the listing if present, because an invoice does not contain later
 * payments. The arguments are not changed.
 */
export function mergeMetadata(fromSource: Metadata, fromContent: Metadata): Metadata {
  const merged: Metadata = { ...fromSource, ...fromContent };
  if (fromContent.currency !== undefined && fromSource.currency !== undefined) {
    for (const key of fromContent.currency === fromSource.currency ? [] : AMOUNTS) {
      if (fromContent[key] === undefined) delete merged[key];
    }
  }
  if (fromSource.payment && fromContent.payment) {
    const { status, date } = fromSource.payment;
    merged.payment = {
      ...fromSource.payment,
      ...fromContent.payment,
      ...(status && { status }),
      ...(date && { date }),
    };
  }
  if (fromSource.source) merged.source = fromSource.source;
  return merged;
}
