import type { getDocumentProxy } from 'unpdf';
import { type Decimal, formatDecimal } from '../e-invoice/decimal';
import type { DescribedInvoice } from '../e-invoice/fields-to-metadata';
import type { DocumentType, Metadata } from '../metadata';
import { documentDates } from './fields/document-dates';
import { documentNumber, statesInvoiceNumber } from './fields/document-number';
import { type ReadType, titledType, type TitledType } from './fields/document-title';
import { parties } from './fields/parties';
import { provenTotals, type Totals } from './fields/totals';
import { type Line, linesOf } from './layout/lines';
import { readTextRuns } from './layout/text-runs';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The types whose parties mean the same as those of an invoice. Who issued a self-billed invoice is not its supplier. */
const WITH_PARTIES: ReadonlySet<ReadType> = new Set(['invoice', 'credit_note', 'receipt']);
const WITH_TOTALS: ReadonlySet<ReadType> = new Set([...WITH_PARTIES, 'self_billed']);

/**
 * Reads the type and metadata of a document from the text layer of its PDF (decisions 4 "Provenance"): only labelled values, in
 * German and English, that are unambiguous and pass their checks. Undefined when nothing is proven. Synchronous work of unknown
 * duration on untrusted input: outside tests it runs only in a parser worker.
 */
export async function readTextInvoice(pdf: PdfDocument): Promise<DescribedInvoice | undefined> {
  const pages = await readTextRuns(pdf);
  return pages && describeLines(linesOf(pages));
}

function describeLines(lines: readonly Line[]): DescribedInvoice | undefined {
  const titled = titledType(lines);
  if (titled === null) return undefined;
  const type =
    titled === 'correction' ? 'credit_note' : (titled ?? (statesInvoiceNumber(lines) ? 'invoice' : undefined));
  if (type === undefined) return undefined;
  const totals = WITH_TOTALS.has(type) ? provenTotals(lines) : undefined;
  const metadata = metadataOf(lines, type, totals);
  const documentType = documentTypeOf(titled, totals);
  if (documentType === undefined && Object.keys(metadata).length === 0) return undefined;
  return { ...(documentType && { documentType }), metadata };
}

/** A correction with a negative total is a credit note; with a positive one it may also be the new invoice. */
function documentTypeOf(titled: TitledType | undefined, totals: Totals | undefined): DocumentType | undefined {
  if (titled === 'correction') return totals && totals.gross < 0n ? 'credit_note' : undefined;
  return titled === null || titled === 'self_billed' ? undefined : titled;
}

function metadataOf(lines: readonly Line[], type: ReadType, totals: Totals | undefined): Metadata {
  const number = documentNumber(lines, type);
  return {
    ...(number !== undefined && { number }),
    ...documentDates(lines, type),
    ...amountsOf(totals, type),
    ...(WITH_PARTIES.has(type) && parties(lines)),
  };
}

/** Amounts of the metadata are positive. An invoice with a negative total may be a credit note, so its amounts stay empty. */
function amountsOf(totals: Totals | undefined, type: ReadType): Metadata {
  if (!totals || (totals.gross < 0n && type !== 'credit_note')) return {};
  const { gross, net, tax, currency } = totals;
  const text = (value: Decimal) => formatDecimal(gross < 0n ? -value : value);
  return {
    amount: text(gross),
    ...(net !== undefined && { amount_net: text(net) }),
    ...(tax !== undefined && { amount_tax: text(tax) }),
    ...(currency !== undefined && { currency }),
  };
}
