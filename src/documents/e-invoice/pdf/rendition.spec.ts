import { ciiInvoice, pdfInvoice, ublInvoice, zugferdInvoice } from '../../../../test/builders/invoice-documents';
import { pdfWith } from '../../../../test/samples/e-invoices/pdf-with';
import PDFDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import { isRenditionOf } from './rendition';

const SPEC = {
  number: 'RE-2026/77 b',
  lines: [
    { name: 'Beratung', quantity: 12, unitPrice: 110.5, vatRate: 19 },
    { name: 'Buch', quantity: 1, unitPrice: 20, vatRate: 7 },
  ],
} as const;

/** Who has issued all of these invoices. */
const SUPPLIER = 'Müller & Söhne GmbH';

/** A PDF with the given text. */
function pdfOf(...lines: string[]): Promise<Buffer> {
  const pdf = new PDFDocument();
  const bytes = buffer(pdf);
  for (const line of lines) pdf.text(line);
  pdf.end();
  return bytes;
}

describe('the rendition of an invoice', () => {
  it('contains its number and all its amounts in any notation, for UBL, CII and hybrid PDF', async () => {
    const pictures = [
      await pdfInvoice(SPEC),
      await zugferdInvoice(SPEC),
      await pdfOf(SUPPLIER, 'Invoice RE-2026/77 b', '1,326.00', '20.00', 'net 1,346.00 VAT 253.34', 'Total 1,599.34'),
      await pdfOf('TVA DE 123 456 788', 'Facture RE-2026/77 b', "1'326.00", '20.00', "1'346.00 253.34", "1'599.34"),
    ];
    for (const [at, picture] of pictures.entries())
      for (const xml of [ublInvoice(SPEC), ciiInvoice(SPEC)])
        expect([at, await isRenditionOf(picture, xml)]).toEqual([at, true]);
  });

  it('contains everything but the VAT when there is none', async () => {
    const work = { name: 'Beratung', quantity: 12, unitPrice: 110.5, vatRate: 0 };
    const book = { name: 'Buch', quantity: 1, unitPrice: 20, vatRate: 0 };
    const head = [SUPPLIER, 'Rechnung RE-2026/77 b', 'Steuerfrei nach § 19 UStG', 'Beratung 12 x 110,50 = 1.326,00'];
    for (const make of [ublInvoice, ciiInvoice]) {
      const [one, two] = [make({ ...SPEC, lines: [work] }), make({ ...SPEC, lines: [work, book] })];
      expect(await isRenditionOf(await pdfOf(...head, 'Summe 1.326,00'), one)).toBe(true);
      expect(await isRenditionOf(await pdfOf(...head, 'Buch 20,00', 'Summe 1.346,00'), two)).toBe(true);
      expect(await isRenditionOf(await pdfOf(...head, 'Summe 1.346,00'), two)).toBe(false);
      expect(await isRenditionOf(await pdfOf(SUPPLIER, 'Mahnung zu RE-2026/77 b', 'Offen: 1.326,00 EUR'), one)).toBe(
        false,
      );
    }
  });

  it.each([
    ['another invoice', () => pdfInvoice({ ...SPEC, number: 'RE-2026/78' })],
    ['an invoice whose number only has the same beginning', () => pdfInvoice({ ...SPEC, number: 'RE-2026/77 bc' })],
    ['the same number with another sum', () => pdfInvoice({ ...SPEC, lines: [{ ...SPEC.lines[0], quantity: 13 }] })],
    [
      'a reminder',
      () => pdfOf(SUPPLIER, 'Mahnung zu RE-2026/77 b', 'Offener Betrag 1.599,34 EUR', 'Mahngebühr 5,00 EUR'),
    ],
    [
      'an invoice of another supplier',
      () =>
        pdfInvoice({
          ...SPEC,
          supplier: { name: 'Andere GmbH', vatId: 'DE111111117', taxNumber: '1', iban: 'DE02120300000000202051' },
        }),
    ],
    ['a time sheet', () => pdfOf('Stunden zu RE-2026/77 b', '12 Stunden')],
    ['a PDF without text', () => pdfOf('')],
    [
      'a PDF with an unreadable e-invoice',
      () =>
        pdfWith({
          text: 'RE-2026/77 b: 1.326,00 + 20,00 = 1.346,00, MwSt. 253,34, gesamt 1.599,34',
          attachments: { 'factur-x.xml': '<Invoice' },
        }),
    ],
    ['an encrypted PDF', () => pdfWith({ userPassword: 'geheim' })],
  ])('is not: %s', async (_what, pdf) => {
    const isIt = isRenditionOf(await pdf(), ublInvoice(SPEC)).catch(() => false);
    expect(await isIt).toBe(false);
  });

  it('may be encrypted with a password that is known', async () => {
    const text = `${SUPPLIER}, RE-2026/77 b: 1.326,00 + 20,00 = 1.346,00, MwSt. 253,34, gesamt 1.599,34`;
    const pdf = await pdfWith({ text, userPassword: 'geheim' });
    expect(await isRenditionOf(pdf, ublInvoice(SPEC), ['falsch', 'geheim'])).toBe(true);
  });

  it('need not contain lines without an amount, such as remarks', async () => {
    const work = { name: 'Beratung', quantity: 12, unitPrice: 110.5, vatRate: 19 };
    const remark = { name: 'Wie besprochen', quantity: 1, unitPrice: 0, vatRate: 19 };
    const untaxed = [work, remark].map((line) => ({ ...line, vatRate: 0 }));
    const text = 'Müller & Söhne GmbH: Rechnung RE-2026/77 b, Beratung 12 x 110,50 = 1.326,00. Wie besprochen.';
    for (const make of [ublInvoice, ciiInvoice]) {
      const taxed = make({ ...SPEC, lines: [work, remark] });
      expect(await isRenditionOf(await pdfOf(text, 'Netto 1.326,00, USt. 251,94', 'Summe 1.577,94'), taxed)).toBe(true);
      // Without VAT all amounts are equal: a reminder contains the amount once.
      const free = make({ ...SPEC, lines: untaxed });
      expect(await isRenditionOf(await pdfOf(text, 'Summe 1.326,00'), free)).toBe(true);
      expect(await isRenditionOf(await pdfOf(SUPPLIER, 'Mahnung zu RE-2026/77 b', 'Offen: 1.326,00'), free)).toBe(
        false,
      );
      expect(
        await isRenditionOf(await pdfOf(SUPPLIER, 'Nachricht zu RE-2026/77 b'), make({ ...SPEC, lines: [remark] })),
      ).toBe(false);
    }
  });

  it('is not a PDF with another embedded invoice, even if its text contains all values of a small one', async () => {
    const line = { name: 'Hosting', quantity: 1, unitPrice: 20, vatRate: 19 };
    const small = { number: '78', lines: [line] };
    const embedded = { number: 'RE-2026/78', lines: [line] };
    for (const make of [ublInvoice, ciiInvoice]) {
      expect(await isRenditionOf(await pdfInvoice(embedded), make(small))).toBe(true); // no further evidence
      expect(await isRenditionOf(await zugferdInvoice(embedded), make(small))).toBe(false);
      expect(await isRenditionOf(await zugferdInvoice(embedded), make(embedded))).toBe(true);
    }
  });

  it('is a PDF with the same embedded invoice that contains its number, in any notation of its amounts', async () => {
    const xml = ublInvoice(SPEC);
    const embedded = { 'factur-x.xml': ciiInvoice(SPEC) };
    const gross = 'Rechnung RE-2026/77 b, Beratung 1.577,94, Buch 21,40, zusammen 1.599,34, inkl. 19 % und 7 % MwSt.';
    expect(await isRenditionOf(await pdfWith({ text: gross }), xml)).toBe(false);
    expect(await isRenditionOf(await pdfWith({ text: gross, attachments: embedded }), xml)).toBe(true);
    const another = gross.replace('77 b', '77 c');
    expect(await isRenditionOf(await pdfWith({ text: another, attachments: embedded }), xml)).toBe(false);
    // Totals alone (MINIMUM, BASIC WL) are not an invoice: the PDF may be the only complete one.
    const sums = Buffer.from(xml.toString().replace(/<cac:InvoiceLine>[\s\S]*<\/cac:InvoiceLine>/, ''));
    expect(await isRenditionOf(await pdfWith({ text: gross, attachments: embedded }), sums)).toBe(false);
  });

  it.each([
    ['of another day', { date: '2026-03-01' }],
    ['of another currency', { currency: 'CHF' }],
    ['of another supplier', { supplier: { vatId: 'DE111111117' } }],
    ['that is a credit note', { type: 381 }],
  ] as const)('is no PDF with an invoice of the same number in it, %s', async (_what, other) => {
    const [one, two] = [SPEC, { ...SPEC, ...other }];
    expect(await isRenditionOf(await zugferdInvoice(two), ublInvoice(one))).toBe(false);
    expect(await isRenditionOf(await zugferdInvoice(one), ublInvoice(two))).toBe(false);
    expect(await isRenditionOf(await zugferdInvoice(two), ublInvoice(two))).toBe(true);
  });

  it('has to contain everything when the embedded invoice has no number', async () => {
    const undated = ciiInvoice(SPEC).toString().replace('format="102"', 'format="610"');
    const attachments = { 'factur-x.xml': undated };
    const all = 'Müller & Söhne GmbH, RE-2026/77 b: 1.326,00 + 20,00 = 1.346,00, MwSt. 253,34, gesamt 1.599,34';
    expect(await isRenditionOf(await pdfWith({ text: all, attachments }), ublInvoice(SPEC))).toBe(true);
    const less = all.replace('20,00', 'Buch');
    expect(await isRenditionOf(await pdfWith({ text: less, attachments }), ublInvoice(SPEC))).toBe(false);
  });

  it('is not recognized for XML that is not an invoice', async () => {
    expect(await isRenditionOf(await pdfInvoice(SPEC), Buffer.from('<order/>'))).toBe(false);
  });
});
