import type { SpanCauses } from '../../platform/request/span';

/**
 * The place of a delivery in traces. A redelivery of one document belongs to the request for it, and is linked to the document. One
 * of many documents is linked to the request, which would otherwise have a trace of any size, and belongs to the document.
 */
export function causesOfDelivery(
  document: string | null,
  { redelivery, isBulk }: { readonly redelivery: string | null; readonly isBulk: boolean },
): SpanCauses {
  if (redelivery === null) return { traceparent: document, linkedTraceparent: null };
  return isBulk
    ? { traceparent: document, linkedTraceparent: redelivery }
    : { traceparent: redelivery, linkedTraceparent: document };
}
