import type { DocumentRef } from '../../../core/source-document';

export interface MailRef {
  /** Identifies the mail of a document. */
  readonly mail: string;
  readonly mimeType: string;
}

/** With more e-invoices in one mail, PDFs are compared only with those of the same name, because each has to be downloaded. */
const MAX_CONTENT_CANDIDATES = 5;

/**
 * Adds to every PDF the XML documents of its mail of which it may be a rendition (ADR 18): the one with the same name
 * (`rechnung.pdf`, `rechnung.xml`), otherwise all. XML documents are moved first within their mail. Nothing is downloaded here.
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
        return candidates.length > 0 ? { ...ref, renditionOf: candidates } : ref;
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
