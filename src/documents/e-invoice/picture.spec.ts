import { ciiInvoice, pdfInvoice, ublInvoice, zugferdInvoice } from '../../../test/builders/an-invoice';
import { pdfWith } from '../../../test/samples/e-invoices/pdf-with';
import PDFDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import { isPictureOf } from './picture';

const SPEC = {
  number: 'RE-2026/77 b',
  lines: [
    { name: 'Beratung', quantity: 12, unitPrice: 110.5, vatRate: 19 },
    { name: 'Buch', quantity: 1, unitPrice: 20, vatRate: 7 },
  ],
} as const;

/** A PDF that says these words. */
function saying(...lines: string[]): Promise<Buffer> {
  const pdf = new PDFDocument();
  const bytes = buffer(pdf);
  for (const line of lines) pdf.text(line);
  pdf.end();
  return bytes;
}

describe('the picture of an invoice', () => {
  it('shows its number and all its amounts, in any notation, in UBL, CII and hybrid PDF alike', async () => {
    const pictures = [
      await pdfInvoice(SPEC),
      await zugferdInvoice(SPEC),
      await saying('Invoice RE-2026/77 b', '1,326.00', '20.00', 'net 1,346.00 VAT 253.34', 'Total 1,599.34'),
      await saying('Facture RE-2026/77 b', "1'326.00", '20.00', "1'346.00 253.34", "1'599.34"),
    ];
    for (const [at, picture] of pictures.entries())
      for (const xml of [ublInvoice(SPEC), ciiInvoice(SPEC)])
        expect([at, await isPictureOf(picture, xml)]).toEqual([at, true]);
  });

  it('shows no VAT where there is none, but all else', async () => {
    const work = { name: 'Beratung', quantity: 12, unitPrice: 110.5, vatRate: 0 };
    const book = { name: 'Buch', quantity: 1, unitPrice: 20, vatRate: 0 };
    const head = ['Rechnung RE-2026/77 b', 'Steuerfrei nach § 19 UStG', 'Beratung 12 x 110,50 = 1.326,00'];
    for (const make of [ublInvoice, ciiInvoice]) {
      const [one, two] = [make({ ...SPEC, lines: [work] }), make({ ...SPEC, lines: [work, book] })];
      expect(await isPictureOf(await saying(...head, 'Summe 1.326,00'), one)).toBe(true);
      expect(await isPictureOf(await saying(...head, 'Buch 20,00', 'Summe 1.346,00'), two)).toBe(true);
      expect(await isPictureOf(await saying(...head, 'Summe 1.346,00'), two)).toBe(false);
      expect(await isPictureOf(await saying('Mahnung zu RE-2026/77 b', 'Offen: 1.326,00 EUR'), one)).toBe(false);
    }
  });

  it.each([
    ['another invoice', () => pdfInvoice({ ...SPEC, number: 'RE-2026/78' })],
    ['an invoice whose number only begins alike', () => pdfInvoice({ ...SPEC, number: 'RE-2026/77 bc' })],
    ['the same number with another sum', () => pdfInvoice({ ...SPEC, lines: [{ ...SPEC.lines[0], quantity: 13 }] })],
    ['a reminder', () => saying('Mahnung zu RE-2026/77 b', 'Offener Betrag 1.599,34 EUR', 'Mahngebühr 5,00 EUR')],
    ['a time sheet', () => saying('Stunden zu RE-2026/77 b', '12 Stunden')],
    ['a PDF without text', () => saying('')],
    ['an encrypted PDF', () => pdfWith({ userPassword: 'geheim' })],
  ])('is not: %s', async (_what, pdf) => {
    const isIt = isPictureOf(await pdf(), ublInvoice(SPEC)).catch(() => false);
    expect(await isIt).toBe(false);
  });

  it('is not taken for one of an XML that is no invoice', async () => {
    expect(await isPictureOf(await pdfInvoice(SPEC), Buffer.from('<order/>'))).toBe(false);
  });
});
