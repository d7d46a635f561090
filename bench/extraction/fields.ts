import type { DocumentDescription } from '../../src/documents/extraction/describe-document';

export type Described = Pick<DocumentDescription, 'documentType' | 'metadata'>;
type Value = string | undefined;

/** Upper case without what may be written between the characters of a number. */
const compact = (value: Value) => value?.toUpperCase().replace(/[\s.,-]+/g, '');

/** The fields that are read from the text of a PDF, each in a form in which equal values are equal. */
export const FIELDS: Readonly<Record<string, (described: Described) => Value>> = {
  document_type: ({ documentType }) => documentType,
  number: ({ metadata }) => metadata.number?.replace(/\s+/g, '').toUpperCase(),
  date: ({ metadata }) => metadata.date,
  due_date: ({ metadata }) => metadata.due_date,
  amount: ({ metadata }) => metadata.amount,
  amount_net: ({ metadata }) => metadata.amount_net,
  amount_tax: ({ metadata }) => metadata.amount_tax,
  currency: ({ metadata }) => metadata.currency,
  'supplier.name': ({ metadata }) => compact(metadata.supplier?.name),
  'supplier.vat_id': ({ metadata }) => compact(metadata.supplier?.vat_id),
  'supplier.iban': ({ metadata }) => compact(metadata.supplier?.iban),
  'customer.vat_id': ({ metadata }) => compact(metadata.customer?.vat_id),
};

export interface Score {
  /** Documents whose true value is known. */
  known: number;
  /** Known values that the pages do not show. */
  absent: number;
  /** Values that were read where the true value is known. */
  read: number;
  correct: number;
  /** Values that were read and differ from known ones that the pages do not show: the pages may say something else than the XML. */
  absentDiffering: number;
}

/** The true values of a document. A field that is missing in the truth is not judged, unless the truth is complete. */
export interface Truth extends Described {
  readonly isComplete?: boolean;
  /** The fields whose values the pages do not show. */
  readonly absent?: ReadonlySet<string>;
}

export interface Judged {
  readonly truth: Truth;
  readonly read: Described;
}

export function scoresOf(documents: readonly Judged[]): Record<string, Score> {
  return Object.fromEntries(
    Object.entries(FIELDS).map(([field, valueOf]) => {
      const score: Score = { known: 0, absent: 0, read: 0, correct: 0, absentDiffering: 0 };
      for (const { truth, read } of documents) {
        const [expected, found] = [valueOf(truth), valueOf(read)];
        if (expected === undefined && !truth.isComplete) continue;
        if (expected !== undefined) score.known += 1;
        if (truth.absent?.has(field)) score.absent += 1;
        if (found !== undefined) score.read += 1;
        if (found !== undefined && found === expected) score.correct += 1;
        else if (found !== undefined && truth.absent?.has(field)) score.absentDiffering += 1;
      }
      return [field, score];
    }),
  );
}
