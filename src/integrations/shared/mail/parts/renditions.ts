import type { DocumentRef } from '../../../core/source-document';

export interface MailRef {
  /** The same for all documents of one mail, and another for those of every other mail. */
  readonly mail: string;
  readonly mimeType: string;
}

/** More e-invoices than this in one mail are held against PDFs of the same name only: each has to be read for it. */
const MAX_CONTENT_CANDIDATES = 5;

/**
 * Says of every PDF of which XML documents of its mail it may be the readable picture (ADR 18): of that with its own name
 * (`rechnung.pdf`, `rechnung.xml`), otherwise of all. XML documents come first within their mail. Nothing is read here.
 */
export function withRenditions(
  documents: readonly DocumentRef[],
  placeOf: (ref: DocumentRef) => MailRef,
): DocumentRef[] {
  const mails = Map.groupBy(
    documents.map((ref) => ({ ref, ...placeOf(ref) })),
    ({ mail }) => mail,
  );
  return [...mails.values()].flatMap((parts) => {
    const invoices = parts.filter(({ mimeType }) => /[/+]xml$/.test(mimeType)).map(({ ref }) => ref);
    if (invoices.length === 0) return parts.map(({ ref }) => ref);
    const others = parts.filter(({ ref }) => !invoices.includes(ref));
    return [
      ...invoices,
      ...others.map(({ ref, mimeType }): DocumentRef => {
        const candidates = mimeType === 'application/pdf' ? candidatesFor(ref, invoices) : [];
        return candidates.length > 0 ? { ...ref, pictureOf: candidates } : ref;
      }),
    ];
  });
}

function candidatesFor(pdf: DocumentRef, invoices: readonly DocumentRef[]): readonly DocumentRef[] {
  const named = invoices.filter(({ filename }) => stem(filename) === stem(pdf.filename));
  if (named.length > 0) return named;
  return invoices.length <= MAX_CONTENT_CANDIDATES ? invoices : [];
}

function stem(filename: string): string {
  return filename
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.[^.]*$/, '');
}
