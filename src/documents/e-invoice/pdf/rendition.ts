import { extractText } from 'unpdf';
import { parseDecimal, formatDecimal } from '../decimal';
import { fieldsToMetadata } from '../fields-to-metadata';
import type { InvoiceFields } from '../invoice-fields';
import { readInvoiceFields } from '../xml/read-xml-invoice';
import { isSameInvoice } from '../same-invoice';
import { openPdf } from './open-pdf';
import { readEmbedded } from './zugferd';

/** A rendition has few pages; a long document that happens to contain the numbers is not one. */
const MAX_PAGES = 30;

/**
 * Whether a PDF is the human-readable rendition of an XML invoice: its text contains the invoice's number, its supplier (by name, VAT
 * identifier, tax number or IBAN), the net and gross amounts, the VAT if there is any (as one sum, or per rate) and the amounts of all
 * lines that are not zero. A reminder or a time sheet contains only some of these. If all these amounts are equal, as for a single line without VAT, a rendition contains the
 * amount twice, a reminder once.
 * A PDF with its own embedded e-invoice is a rendition of only that invoice, and only has to contain its number. False for totals
 * without lines, for which the PDF may be the only complete invoice, and when either cannot be read. Synchronous work of unknown
 * duration on untrusted input: outside tests it runs only in a parser worker. The PDF's bytes are transferred unless they are a
 * Buffer or passwords are given.
 */
export async function isRenditionOf(
  pdf: Uint8Array,
  xml: Uint8Array,
  passwords: readonly string[] = [],
): Promise<boolean> {
  const read = readInvoiceFields(xml);
  if (!read) return false;
  const { pdf: document } = await openPdf(pdf, passwords);
  try {
    if (document.numPages > MAX_PAGES) return false;
    const embedded = await readEmbedded(document);
    const isSame = embedded ? isSameInvoice(embedded, fieldsToMetadata(read.fields, read.syntax)) : 'unknown';
    if (isSame === 'no') return false;
    const { text } = await extractText(document, { mergePages: true });
    const proven = isSame === 'yes' ? showsNumber : showsAll;
    return read.fields.lineAmounts.length > 0 && proven(text.normalize('NFKC'), read.fields);
  } finally {
    await document.loadingTask.destroy();
  }
}

function showsNumber(text: string, { number }: InvoiceFields): boolean {
  return number !== undefined && showsWord(text, number.normalize('NFKC'));
}

function showsSupplier(text: string, { seller, sellerAccounts }: InvoiceFields): boolean {
  const marks = [seller.name, seller.vatId, seller.taxNumber, ...sellerAccounts];
  return marks.some(
    (mark) => mark !== undefined && /[\p{L}\p{N}]/u.test(mark) && showsWord(text, mark.normalize('NFKC')),
  );
}

function showsAll(text: string, fields: InvoiceFields): boolean {
  const { totals, taxByCategory } = fields;
  const lineAmounts = fields.lineAmounts.filter((each) => !isNone(each));
  const amount = (written: string | undefined) => timesShown(text, written) > 0;
  const hasOneAmount = isNone(totals.tax) && lineAmounts.length === 1;
  return (
    showsNumber(text, fields) &&
    showsSupplier(text, fields) &&
    timesShown(text, totals.gross) > (hasOneAmount ? 1 : 0) &&
    amount(totals.net) &&
    (isNone(totals.tax) || amount(totals.tax) || (taxByCategory.length > 0 && taxByCategory.every(amount))) &&
    lineAmounts.length > 0 &&
    lineAmounts.every(amount)
  );
}

/**
 * Zero amounts are not printed: small businesses and reverse-charge invoices mention the VAT only in words, and text lines have no
 * amount.
 */
function isNone(amount: string | undefined): boolean {
  return amount === undefined || parseDecimal(amount) === 0n;
}

/** The same characters as a separate word; text extraction may insert spaces anywhere, because PDFs do not store them. */
function showsWord(text: string, word: string): boolean {
  const letters = [...word.replace(/\s+/g, '')].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('\\s*')}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/** The number of occurrences of an amount with two decimals and any thousands separator: `1.190,00`, `1,190.00`, `1 190,00`, `1'190.00`. */
function timesShown(text: string, written: string | undefined): number {
  const value = parseDecimal(written);
  if (value === undefined) return 0;
  const [whole, fraction] = formatDecimal(value < 0n ? -value : value).split('.') as [string, string];
  const thousands = whole.replace(/\B(?=(\d{3})+(?!\d))/g, "[.,'’ ]?");
  return text.match(new RegExp(`(?<!\\d|\\d[.,'’])${thousands}[.,]${fraction}(?!\\d|[.,]\\d)`, 'gu'))?.length ?? 0;
}
