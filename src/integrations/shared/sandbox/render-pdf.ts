import { createHash } from 'node:crypto';
import type { DocumentType } from '../../../documents/metadata';
import { CUSTOMER, euros, type FixtureDocument } from './fixture-document';

const LINE = 64;
const CHUNK = 64 * 1024;

const TITLES: Readonly<Record<DocumentType, string>> = {
  invoice: 'Rechnung',
  credit_note: 'Gutschrift',
  receipt: 'Quittung',
  bank_statement: 'Kontoauszug',
  reminder: 'Mahnung',
  delivery_note: 'Lieferschein',
  order_confirmation: 'Auftragsbestätigung',
  contract: 'Vertrag',
  document: 'Dokument',
};

export const title = ({ documentType, number }: FixtureDocument): string => `${TITLES[documentType]} ${number}`;

/** Differs by rendering, so that the bytes of the same document differ. */
export const creationDate = ({ date }: FixtureDocument, rendering: number): Date =>
  new Date(Date.parse(date) + (rendering - 1) * 1_000);

/**
 * Renders the document as a one-page PDF of 2 to 3 KiB. Deterministic for a document and rendering.
 * @param rendering 1 for the original; portals that render again use another number each time.
 */
export async function renderPdf(document: FixtureDocument, rendering: number): Promise<Buffer> {
  const pdf = await startPdf(document, rendering);
  write(pdf, document, rendering);
  return bytesOf(pdf);
}

/** An empty PDF with its properties. pdfkit is loaded on first use: only the sandbox needs it, and it takes 7 MB of the heap. */
export async function startPdf(
  document: FixtureDocument,
  rendering: number,
  options?: PDFKit.PDFDocumentOptions,
): Promise<PDFKit.PDFDocument> {
  const { default: PDFDocument } = await import('pdfkit');
  const info = { Title: title(document), CreationDate: creationDate(document, rendering) };
  return new PDFDocument({ size: 'A4', margin: 56, info, ...options });
}

/** Writes the page. */
export function write(pdf: PDFKit.PDFDocument, document: FixtureDocument, rendering: number): void {
  const creditNote = document.documentType === 'credit_note';
  const { supplier } = document;
  pdf.fontSize(9).text(`${supplier.name} · ${supplier.street} · ${supplier.postcode} ${supplier.city}`);
  pdf.text(`USt-IdNr. ${supplier.vat_id} · ${supplier.email}`).moveDown(3);
  pdf.fontSize(11).text(CUSTOMER.name).text(CUSTOMER.street).text(`${CUSTOMER.postcode} ${CUSTOMER.city}`).moveDown(3);
  pdf.fontSize(18).text(title(document)).moveDown();
  pdf.fontSize(11).text(`Datum: ${germanDate(document.date)}`);
  pdf.text(`Belegnummer: ${document.number}`).text(`Referenz: ${document.externalId}`);
  if (document.preceding) pdf.text(`Zu Rechnung: ${document.preceding}`);
  pdf.moveDown(2);
  row(pdf, document.item, document.net);
  row(pdf, `Umsatzsteuer ${document.taxRate} %`, document.tax);
  row(pdf, creditNote ? 'Gutschriftsbetrag' : 'Rechnungsbetrag', document.gross);
  pdf.moveDown(2);
  pdf.text(creditNote ? 'Der Betrag wird Ihnen erstattet.' : `Zahlbar bis ${germanDate(document.dueDate)}.`);
  pdf.moveDown(2).fontSize(8).text('Testdokument ohne rechtliche Bedeutung.');
  if (rendering > 1) pdf.text(`Ausfertigung ${rendering}`);
}

/** Ends a PDF and collects it. */
export async function bytesOf(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  pdf.end();
  const chunks: Buffer[] = [];
  for await (const chunk of pdf) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Pads the PDF to exactly `size` bytes, streamed: inserts comment lines (ISO 32000-1 7.2.4) before the cross-reference table, whose
 * offsets stay valid, and adjusts `startxref`. Holds one chunk in memory. Returns the PDF unchanged when it is already too large.
 */
export function stretchPdf(pdf: Buffer, size: number): { size: number; chunks: Iterable<Buffer> } {
  const table = pdf.lastIndexOf('\nxref\n') + 1;
  const rest = pdf.subarray(table, pdf.lastIndexOf('startxref'));
  const end = (offset: number): string => `startxref\n${String(offset).padStart(10, '0')}\n%%EOF\n`;
  const padding = size - table - rest.length - end(0).length;
  if (padding < 0) return { size: pdf.length, chunks: [pdf] };
  return {
    size,
    chunks: (function* () {
      yield pdf.subarray(0, table);
      yield* commentLines(padding);
      yield Buffer.concat([rest, Buffer.from(end(table + padding))]);
    })(),
  };
}

function* commentLines(length: number): Generator<Buffer> {
  for (let left = length; left > 0; left -= CHUNK) {
    if (left >= CHUNK) yield FILLING;
    else {
      const last = Buffer.from(FILLING.subarray(0, left));
      last[left - 1] = 0x0a;
      yield last;
    }
  }
}

/** Lines of 64 characters that hardly compress, like a real scan. */
const FILLING = Buffer.from(
  Array.from({ length: CHUNK / LINE }, (_, i) => {
    const noise = createHash('sha512').update(`line ${i}`).digest('base64url');
    return `%${noise.slice(0, LINE - 2)}\n`;
  }).join(''),
);

function row(pdf: PDFKit.PDFDocument, label: string, cents: number): void {
  const { y } = pdf;
  pdf.text(label, 56, y);
  pdf.text(`${euros(cents).replace('.', ',')} EUR`, 56, y, { width: 483, align: 'right' });
  pdf.text('', 56);
}

function germanDate(day: string): string {
  return day.split('-').reverse().join('.');
}
