import { areSameInvoice, formRank, provenNumber } from '../../../documents/extraction/invoice-forms';
import type { NewDocument } from '../record-document';

/** The forms of one invoice: the document and its renditions. Most documents are alone. */
export interface InvoiceGroup {
  readonly document: NewDocument;
  readonly renditions: readonly NewDocument[];
}

/**
 * Groups documents that are forms of one invoice (decisions 4 "Renditions"): those that were proven to be by comparing their
 * contents (`sameInvoiceAs`), and those whose contents state the same invoice. Of each group, the preferred form is the document.
 * The order is kept. Keys have to be unique.
 */
export function groupForms(documents: readonly NewDocument[]): InvoiceGroup[] {
  const groupOf = new Map<NewDocument, NewDocument[]>(documents.map((document) => [document, [document]]));
  const join = (one: NewDocument, other: NewDocument) => {
    const [group, joined] = [groupOf.get(one)!, groupOf.get(other)!];
    if (group === joined) return;
    group.push(...joined);
    for (const each of joined) groupOf.set(each, group);
  };
  const byKey = new Map(documents.map((document) => [document.dedupeKey, document]));
  for (const document of documents) {
    const same = document.sameInvoiceAs === undefined ? undefined : byKey.get(document.sameInvoiceAs);
    if (same) join(same, document);
  }
  for (const [number, alike] of Map.groupBy(documents, provenNumber)) {
    if (number === undefined) continue;
    for (const [at, one] of alike.entries()) {
      for (const other of alike.slice(at + 1)) if (areSameInvoice(one, other)) join(one, other);
    }
  }
  return [...new Set(groupOf.values())].map((group) => {
    const [document, ...renditions] = group.toSorted((a, b) => formRank(a) - formRank(b));
    return { document: document!, renditions };
  });
}
