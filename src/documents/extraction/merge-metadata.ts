import type { Metadata } from '../metadata';

const AMOUNTS = ['amount', 'amount_net', 'amount_tax', 'amount_due'] as const;

/**
 * What the listing said and what the document says about itself, together: the document wins, value by value, and
 * `source` stays the listing's. A party is taken whole, so that two parties are never mixed, and amounts of the listing
 * in another currency than the document's are dropped. Only `payment.status` and `payment.date` are the listing's when it
 * has them: an invoice cannot know that it was paid later. Changes neither argument.
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
