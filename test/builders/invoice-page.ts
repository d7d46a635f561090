import type PDFDocument from 'pdfkit';
import { decimal, type InvoiceData, type Party } from './invoice-data';

type Page = InstanceType<typeof PDFDocument>;

const LEFT = 56;
const RIGHT = 539;
const INK = '#1c2430';
const SOFT = '#66707f';
const ACCENT = '#1f5fbf';

/** Draws the invoice on the document's first page (A4), in German like the sample parties. */
export function drawInvoice(page: Page, invoice: InvoiceData): void {
  const credit = invoice.type === 381;
  const { supplier, customer } = invoice;
  page.rect(LEFT, 48, 34, 34).fill(ACCENT);
  page
    .moveTo(LEFT + 9, 72)
    .lineTo(LEFT + 17, 58)
    .lineTo(LEFT + 25, 72)
    .lineWidth(3)
    .stroke('#ffffff');
  write(page, supplier.name, LEFT + 46, 50, { size: 15, bold: true });
  write(page, addressLine(supplier), LEFT + 46, 69, { color: SOFT });
  write(page, [customer.name, customer.street, `${customer.postcode} ${customer.city}`].join('\n'), LEFT, 140, {
    size: 11,
  });
  write(page, credit ? 'Gutschrift' : 'Rechnung', LEFT, 232, { size: 20, bold: true });
  const facts: [string, string][] = [
    [credit ? 'Gutschriftsnummer' : 'Rechnungsnummer', invoice.number],
    ['Datum', german(invoice.date)],
    ['Fällig am', german(invoice.dueDate)],
    ['Leistungszeitraum', `${german(invoice.servicePeriod.start)} bis ${german(invoice.servicePeriod.end)}`],
    ...(invoice.orderReference ? [['Bestellnummer', invoice.orderReference] as [string, string]] : []),
    ...(invoice.precedingInvoice ? [['Zu Rechnung', invoice.precedingInvoice] as [string, string]] : []),
  ];
  facts.forEach(([name, value], index) => {
    write(page, name, 320, 140 + index * 15, { color: SOFT });
    write(page, value, 400, 140 + index * 15, { right: RIGHT });
  });
  drawTotals(page, invoice, drawLines(page, invoice, 280));
  const foot = [
    `${supplier.name} · ${addressLine(supplier)}`,
    `USt-IdNr. ${supplier.vatId} · Steuernummer ${supplier.taxNumber ?? '–'} · IBAN ${supplier.iban ?? '–'}`,
    `${supplier.email} · ${supplier.phone}`,
  ];
  page.moveTo(LEFT, 756).lineTo(RIGHT, 756).lineWidth(0.5).stroke(SOFT);
  foot.forEach((line, index) => write(page, line, LEFT, 764 + index * 11, { size: 8, color: SOFT }));
}

/** Draws the table and returns its lower end. Lines that do not fit on the page are omitted. */
function drawLines(page: Page, invoice: InvoiceData, top: number): number {
  const columns: [string, number, number?][] = [
    ['Leistung', LEFT],
    ['Menge', 300, 340],
    ['Einzelpreis', 350, 430],
    ['USt.', 440, 475],
    ['Netto', 480, RIGHT],
  ];
  page.rect(LEFT, top - 6, RIGHT - LEFT, 20).fill('#eef2f8');
  for (const [title, x, right] of columns) write(page, title, x === LEFT ? x + 6 : x, top, { bold: true, right });
  let y = top + 24;
  for (const line of invoice.lines.slice(0, 16)) {
    write(page, line.name, LEFT + 6, y);
    write(page, String(line.quantity).replace('.', ','), 300, y, { right: 340 });
    write(page, money(Math.round(line.unitPrice * 100)), 350, y, { right: 430 });
    write(page, `${line.vatRate} %`, 440, y, { right: 475 });
    write(page, money(line.net), 480, y, { right: RIGHT });
    y += 18;
  }
  return y;
}

function drawTotals(page: Page, invoice: InvoiceData, top: number): void {
  page.moveTo(320, top).lineTo(RIGHT, top).lineWidth(0.5).stroke(SOFT);
  const rows: [string, number][] = [
    ['Nettobetrag', invoice.net],
    ...invoice.taxes.map(({ rate, tax }): [string, number] => [`Umsatzsteuer ${rate} %`, tax]),
  ];
  let y = top + 8;
  for (const [name, hundredths] of rows) {
    write(page, name, 320, y, { color: SOFT });
    write(page, `${money(hundredths)} ${invoice.currency}`, 430, y, { right: RIGHT });
    y += 16;
  }
  write(page, 'Gesamtbetrag', 320, y + 4, { size: 12, bold: true });
  write(page, `${money(invoice.gross)} ${invoice.currency}`, 420, y + 4, { size: 12, bold: true, right: RIGHT });
}

interface Look {
  readonly size?: number;
  readonly bold?: boolean;
  readonly color?: string;
  /** The text ends here instead of starting at x. */
  readonly right?: number;
}

function write(
  page: Page,
  text: string,
  x: number,
  y: number,
  { size = 9, bold, color = INK, right }: Look = {},
): void {
  page
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(color);
  page.text(text, x, y, { lineBreak: text.includes('\n'), ...(right ? { width: right - x, align: 'right' } : {}) });
}

function addressLine({ street, postcode, city }: Party): string {
  return `${street}, ${postcode} ${city}`;
}

function german(date: string): string {
  return date.split('-').reverse().join('.');
}

function money(hundredths: number): string {
  return decimal(hundredths)
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, '.');
}
