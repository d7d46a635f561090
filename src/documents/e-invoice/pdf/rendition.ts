import { extractText, getDocumentProxy } from 'unpdf';
import { parseDecimal, formatDecimal } from '../decimal';
import { fieldsToMetadata } from '../fields-to-metadata';
import type { InvoiceFields } from '../invoice-fields';
import { readInvoiceFields } from '../xml/read-xml-invoice';
import { isSameInvoice } from '../same-invoice';
import { readEmbedded } from './zugferd';

/** A picture of an invoice has a page or two; a book that happens to hold its numbers is none. */
const MOST_PAGES = 30;

/**
 * Whether a PDF is the readable picture of an XML invoice: its text shows the invoice's number, its net and gross amounts, its
 * VAT if there is any (in one sum, or rate by rate) and the amounts of all lines that cost anything. A reminder or a time sheet
 * shows some of these, not all. Where all these amounts are one, as it is with a single line without VAT, the PDF shows it
 * twice, a reminder once.
 * A PDF with an e-invoice of its own in it is a picture of that one only, and has to show no more than its number. False for
 * sums without lines, for which the PDF may be the only whole invoice, and when either cannot be read. Synchronous work of
 * unknown length on hostile input: outside tests it runs in a reading thread only. The PDF's bytes are used up unless they are
 * a Buffer.
 */
export async function isRenditionOf(pdf: Uint8Array, xml: Uint8Array): Promise<boolean> {
  const read = readInvoiceFields(xml);
  if (!read) return false;
  const document = await getDocumentProxy(Buffer.isBuffer(pdf) ? new Uint8Array(pdf) : pdf, { verbosity: 0 });
  try {
    if (document.numPages > MOST_PAGES) return false;
    const embedded = await readEmbedded(document);
    const isSame = embedded ? isSameInvoice(embedded, fieldsToMetadata(read.facts, read.syntax)) : 'unknown';
    if (isSame === 'no') return false;
    const { text } = await extractText(document, { mergePages: true });
    const proven = isSame === 'yes' ? showsNumber : showsAll;
    return read.facts.lineAmounts.length > 0 && proven(text.normalize('NFKC'), read.facts);
  } finally {
    await document.loadingTask.destroy();
  }
}

function showsNumber(text: string, { number }: InvoiceFields): boolean {
  return number !== undefined && showsWord(text, number.normalize('NFKC'));
}

function showsAll(text: string, facts: InvoiceFields): boolean {
  const { totals, taxByCategory } = facts;
  const lineAmounts = facts.lineAmounts.filter((each) => !isNone(each));
  const amount = (written: string | undefined) => timesShown(text, written) > 0;
  const hasOneAmount = isNone(totals.tax) && lineAmounts.length === 1;
  return (
    showsNumber(text, facts) &&
    timesShown(text, totals.gross) > (hasOneAmount ? 1 : 0) &&
    amount(totals.net) &&
    (isNone(totals.tax) || amount(totals.tax) || (taxByCategory.length > 0 && taxByCategory.every(amount))) &&
    lineAmounts.length > 0 &&
    lineAmounts.every(amount)
  );
}

/**
 * What is not shown as an amount. Small businesses and those whose customers owe the VAT say so in words, and lines that are
 * there for their text only show none either.
 */
function isNone(amount: string | undefined): boolean {
  return amount === undefined || parseDecimal(amount) === 0n;
}

/** The same characters in a row, alone; PDFs know no spaces, so they may stand wherever one was made out. */
function showsWord(text: string, word: string): boolean {
  const letters = [...word.replace(/\s+/g, '')].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('\\s*')}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/** How often an amount is there, with its two places, however its thousands are set apart: `1.190,00`, `1,190.00`, `1 190,00`, `1'190.00`. */
function timesShown(text: string, written: string | undefined): number {
  const value = parseDecimal(written);
  if (value === undefined) return 0;
  const [whole, fraction] = formatDecimal(value < 0n ? -value : value).split('.') as [string, string];
  const thousands = whole.replace(/\B(?=(\d{3})+(?!\d))/g, "[.,'’ ]?");
  return text.match(new RegExp(`(?<!\\d|\\d[.,'’])${thousands}[.,]${fraction}(?!\\d|[.,]\\d)`, 'gu'))?.length ?? 0;
}
