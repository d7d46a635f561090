import type { InvoiceData, Party } from '../invoice-data';
import type { Notation } from './notation';
import { Pen } from './pen';

/** Draws an invoice in one of the ways in which programs arrange it. */
export type Layout = (invoice: InvoiceData, notation: Notation) => Promise<Buffer>;

const words = (de: string, en: string) => ({ de, en });
const addressOf = ({ street, postcode, city }: Party) => `${street}, ${postcode} ${city}`;
const recipient = ({ name, street, postcode, city }: Party) => [name, street, `${postcode} ${city}`];

function footer(pen: Pen, { supplier }: InvoiceData, { language }: Notation): void {
  const vatId = words('USt-IdNr.', 'VAT ID')[language];
  pen.lines(
    [
      `${supplier.name} · ${addressOf(supplier)}`,
      `${vatId} ${supplier.vatId} · IBAN ${spaced(supplier.iban!)}`,
      supplier.email,
    ],
    56,
    770,
    {
      size: 7,
      step: 10,
    },
  );
}

const spaced = (iban: string) => iban.replace(/(.{4})(?=.)/g, '$1 ');

function items(pen: Pen, invoice: InvoiceData, { language, money }: Notation, top: number, upTo = 16): number {
  const header = words('Pos.|Bezeichnung|Menge|Einzelpreis|Gesamt', 'No.|Description|Qty|Unit price|Amount')[language];
  const columns = [56, 90, 360, 450, 539];
  header.split('|').forEach((text, at) => pen.write(text, columns[at]!, top, { bold: true, right: at > 1 }));
  let y = top + 18;
  invoice.lines.slice(0, upTo).forEach((line, at) => {
    const cells = [
      String(at + 1),
      line.name,
      String(line.quantity),
      money(Math.round(line.unitPrice * 100)),
      money(line.net),
    ];
    cells.forEach((text, column) => pen.write(text, columns[column]!, y, { right: column > 1 }));
    y += 15;
  });
  return y + 10;
}

function totals(pen: Pen, invoice: InvoiceData, { language, price }: Notation, top: number): void {
  const rows: [string, number][] = [
    [words('Nettobetrag', 'Subtotal')[language], invoice.net],
    ...invoice.taxes.map(({ rate, tax }): [string, number] => [
      words(`zzgl. ${rate} % MwSt.`, `VAT ${rate}%`)[language],
      tax,
    ]),
    [words('Rechnungsbetrag', 'Total')[language], invoice.gross],
  ];
  rows.forEach(([label, amount], at) => {
    pen.write(label, 350, top + at * 15, { bold: at === rows.length - 1 });
    pen.write(price(amount, invoice.currency), 539, top + at * 15, { right: true, bold: at === rows.length - 1 });
  });
}

const labels = (language: 'de' | 'en') => ({
  title: words('Rechnung', 'Invoice')[language],
  number: words('Rechnungsnummer', 'Invoice number')[language],
  date: words('Rechnungsdatum', 'Invoice date')[language],
  due: words('Fällig am', 'Due date')[language],
});

/** A block of labels to the left of their values, and totals at the right margin. */
const block: Layout = (invoice, notation) => {
  const [pen, label] = [new Pen(), labels(notation.language)];
  pen.write(invoice.supplier.name, 56, 50, { size: 15, bold: true });
  pen.lines(recipient(invoice.customer), 56, 140, { size: 11 });
  pen.lines([`${label.number}:`, `${label.date}:`, `${label.due}:`], 340, 140);
  pen.lines([invoice.number, notation.date(invoice.date), notation.date(invoice.dueDate)], 440, 140);
  pen.write(label.title, 56, 240, { size: 18, bold: true });
  totals(pen, invoice, notation, items(pen, invoice, notation, 280));
  footer(pen, invoice, notation);
  return pen.pdf();
};

/** Labels above their values, in one row. */
const headerRow: Layout = (invoice, notation) => {
  const [pen, label] = [new Pen(), labels(notation.language)];
  pen.write(`${invoice.supplier.name} • ${addressOf(invoice.supplier)}`, 56, 120, { size: 7 });
  pen.lines(recipient(invoice.customer), 56, 140, { size: 11 });
  pen.write(label.title.toUpperCase(), 539, 60, { size: 20, right: true });
  const columns: [string, string][] = [
    [label.number, invoice.number],
    [words('Kundennummer', 'Customer no.')[notation.language], '10077'],
    [words('Datum', 'Date')[notation.language], notation.date(invoice.date)],
    [label.due, notation.date(invoice.dueDate)],
  ];
  columns.forEach(([name, value], at) => pen.lines([name, value], 56 + at * 125, 230));
  totals(pen, invoice, notation, items(pen, invoice, notation, 280));
  footer(pen, invoice, notation);
  return pen.pdf();
};

/** A letter: subject, place and day, terms in a sentence, and the totals in columns. */
const letter: Layout = (invoice, notation) => {
  const [pen, { language }] = [new Pen(), notation];
  pen.lines([invoice.supplier.name, addressOf(invoice.supplier)], 539, 50, { right: true });
  pen.write(`${invoice.supplier.name}, ${addressOf(invoice.supplier)}`, 56, 125, { size: 7 });
  pen.lines(recipient(invoice.customer), 56, 140, { size: 10 });
  pen.write(words(`Rechnung Nr. ${invoice.number}`, `Invoice No. ${invoice.number}`)[language], 56, 250, {
    size: 12,
    bold: true,
  });
  pen.write(
    words(
      `${invoice.supplier.city}, den ${notation.date(invoice.date)}`,
      `Date of issue: ${notation.date(invoice.date)}`,
    )[language],
    539,
    250,
    { right: true },
  );
  let y = items(pen, invoice, notation, 300);
  const [tax, gross] = [
    words('Mehrwertsteuer', 'Total VAT')[language],
    words('Gesamtbetrag', 'Total incl. VAT')[language],
  ];
  const columns: [string, number][] = [
    [words('Netto', 'Net amount')[language], invoice.net],
    [tax, invoice.tax],
    [gross, invoice.gross],
  ];
  columns.forEach(([name, amount], at) => {
    pen.write(name, 340 + at * 100, y, { right: true });
    pen.write(notation.price(amount, invoice.currency), 340 + at * 100, y + 14, { right: true });
  });
  y += 50;
  const due = notation.date(invoice.dueDate);
  pen.write(
    words(
      `Bitte überweisen Sie den Betrag. Zahlbar bis zum ${due} ohne Abzug.`,
      `Please transfer the amount. Payment due by ${due}.`,
    )[language],
    56,
    y,
  );
  footer(pen, invoice, notation);
  return pen.pdf();
};

/** Several pages: the totals are on the last one, after a carried amount. */
const pages: Layout = (invoice, notation) => {
  const [pen, label] = [new Pen(), labels(notation.language)];
  pen.write(invoice.supplier.name, 56, 50, { size: 14, bold: true });
  pen.lines(recipient(invoice.customer), 56, 130, { size: 11 });
  pen.write(label.title, 56, 220, { size: 16, bold: true });
  pen.lines(
    [
      `${label.number}: ${invoice.number}`,
      `${label.date}: ${notation.date(invoice.date)}`,
      `${label.due}: ${notation.date(invoice.dueDate)}`,
    ],
    340,
    220,
  );
  const y = items(pen, invoice, notation, 290, 2);
  pen.write(words('Übertrag', 'Carried forward')[notation.language], 350, y);
  const [first, second] = invoice.lines;
  pen.write(notation.money(first!.net + (second?.net ?? 0)), 539, y, { right: true });
  footer(pen, invoice, notation);
  pen.nextPage();
  pen.write(`${label.title} ${invoice.number}, ${words('Seite', 'page')[notation.language]} 2`, 56, 50);
  totals(pen, invoice, notation, items(pen, { ...invoice, lines: invoice.lines.slice(2) }, notation, 90));
  footer(pen, invoice, notation);
  return pen.pdf();
};

/** Like `block`, but drawn from right to left and from the bottom to the top, so that values precede their labels. */
const scrambled: Layout = (invoice, notation) => {
  const [pen, label] = [new Pen(), labels(notation.language)];
  pen.write(invoice.supplier.name, 56, 50, { size: 15 });
  pen.lines(recipient(invoice.customer), 56, 140);
  pen.lines([label.number, label.date, label.due], 420, 140, { right: true });
  pen.lines([invoice.number, notation.date(invoice.date), notation.date(invoice.dueDate)], 428, 140);
  pen.write(label.title, 56, 240, { size: 18 });
  totals(pen, invoice, notation, items(pen, invoice, notation, 280));
  footer(pen, invoice, notation);
  return pen.pdf((texts) => texts.toReversed().toSorted((a, b) => b.x - a.x));
};

export const LAYOUTS: Readonly<Record<string, Layout>> = { block, headerRow, letter, pages, scrambled };
