import { isDeepStrictEqual } from 'node:util';
import { PDF } from '../detection/mime-type';
import { isSameInvoice } from '../e-invoice/same-invoice';
import type { DocumentType, Metadata, Party } from '../metadata';

/** A document of which it is to be decided whether it is another form of an invoice. */
export interface InvoiceDocument {
  readonly mimeType: string;
  readonly documentType: DocumentType;
  readonly metadata: Metadata;
}

/** The forms of an invoice, the preferred one first: a PDF with the XML inside, the XML, a PDF for people. */
const FORMS = ['HYBRID', 'XML', 'PDF'] as const;
type InvoiceForm = (typeof FORMS)[number];

/** Undefined for a document that is no invoice in one of these forms. */
function formOf({ mimeType, metadata }: InvoiceDocument): InvoiceForm | undefined {
  if (metadata.e_invoice) return mimeType === PDF ? 'HYBRID' : 'XML';
  return mimeType === PDF ? 'PDF' : undefined;
}

/** The place of a document among the forms of one invoice: the first one is the document, the others are its renditions. */
export function formRank(document: InvoiceDocument): number {
  const form = formOf(document);
  return form === undefined ? FORMS.length : FORMS.indexOf(form);
}

/** The keys that identify an invoice (decisions 4 "Renditions"). */
const IDENTITY = ['number', 'supplier', 'amount'] as const;

/** The number of an invoice that is proven by the content of its document, together with supplier and gross amount. */
export function provenNumber(document: InvoiceDocument): string | undefined {
  const { metadata } = document;
  const form = formOf(document);
  if (form === undefined) return undefined;
  const proof = form === 'PDF' ? 'TEXT' : 'E_INVOICE';
  return IDENTITY.every((key) => metadata[key] !== undefined && metadata.provenance?.[key] === proof)
    ? metadata.number
    : undefined;
}

/**
 * Whether the contents of two documents prove that they are forms of one invoice: the same number, supplier and gross amount, and no
 * difference in type, date, currency and the other amounts. Documents in the same form also agree in everything else that was read;
 * two PDFs for people never do, because not everything in them is read.
 */
export function areSameInvoice(one: InvoiceDocument, other: InvoiceDocument): boolean {
  if (provenNumber(one) === undefined || provenNumber(other) === undefined) return false;
  if (isSameInvoice(one, other) === 'no' || !isSameSupplier(one.metadata.supplier!, other.metadata.supplier!))
    return false;
  const form = formOf(one);
  if (form !== formOf(other)) return one.documentType === other.documentType;
  return form !== 'PDF' && isDeepStrictEqual(contentOf(one), contentOf(other));
}

/** Compared by identifiers where both have one of a kind, else by name. */
function isSameSupplier(one: Party, other: Party): boolean {
  for (const key of ['vat_id', 'tax_number', 'iban'] as const) {
    if (one[key] !== undefined && other[key] !== undefined) return one[key] === other[key];
  }
  return one.name !== undefined && other.name !== undefined && compact(one.name) === compact(other.name);
}

const compact = (name: string): string => name.normalize('NFKC').replace(/\s+/g, '').toLowerCase();

function contentOf({ documentType, metadata }: InvoiceDocument) {
  const { source: _source, provenance: _provenance, revision: _revision, renditions: _renditions, ...read } = metadata;
  return { documentType, read };
}
