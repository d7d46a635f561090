import type { getDocumentProxy } from 'unpdf';
import { type Decimal, formatDecimal } from '../e-invoice/decimal';
import type { DescribedInvoice } from '../e-invoice/fields-to-metadata';
import type { DocumentType, Metadata } from '../metadata';
import { documentDates } from './fields/document-dates';
import { documentNumber, statesInvoiceNumber } from './fields/document-number';
import { titledType } from './fields/document-title';
import { parties } from './fields/parties';
import { provenTotals, type Totals } from './fields/totals';
import { type Line, linesOf } from './layout/lines';
import { readTextRuns } from './layout/text-runs';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The types whose amounts and parties mean the same as those of an invoice. */
const WITH_TOTALS: ReadonlySet<DocumentType> = new Set(['invoice', 'credit_note', 'receipt']);

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
  const isCorrection = titled === 'correction';
  const type = isCorrection ? 'credit_note' : (titled ?? (statesInvoiceNumber(lines) ? 'invoice' : undefined));
  if (type === undefined) return undefined;
  const metadata = metadataOf(lines, type);
  const documentType = titled && titled !== 'correction' && { documentType: titled };
  return documentType || Object.keys(metadata).length > 0 ? { ...documentType, metadata } : undefined;
}

function metadataOf(lines: readonly Line[], type: DocumentType): Metadata {
  const number = documentNumber(lines, type);
  const dates = documentDates(lines, type);
  const hasTotals = WITH_TOTALS.has(type);
  return {
    ...(number !== undefined && { number }),
    ...dates,
    ...(hasTotals && amountsOf(provenTotals(lines), type)),
    ...(hasTotals && parties(lines)),
  };
}

/** Amounts of the metadata are positive. An invoice with a negative total may be a credit note, so its amounts stay empty. */
function amountsOf(totals: Totals | undefined, type: DocumentType): Metadata {
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
